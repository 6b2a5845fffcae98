/* Attribute spellings. */
#pragma once

#include <host_defines.h>
