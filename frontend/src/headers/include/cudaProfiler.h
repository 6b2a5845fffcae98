#ifndef CUDAIR_CUDAPROFILER_H
#define CUDAIR_CUDAPROFILER_H
#include "cuda.h"
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_DRIVER)
typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0x00, CU_OUT_CSV = 0x01 } CUoutput_mode;
__CUDAIR_C_BEGIN
CUresult cuProfilerInitialize(const char*, const char*, CUoutput_mode);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
__CUDAIR_C_END
#endif
#endif
