/* A larger program: an expression parser, a bytecode for it and a machine that runs it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum Op { PUSH, LOAD, STORE, ADD, SUB, MUL, DIV, NEG, HALT };
struct Code { enum Op op; long operand; };
struct Parser { const char *text; struct Code *code; size_t length, capacity; char error[64]; };

static void emit(struct Parser *p, enum Op op, long operand) {
    if (p->length == p->capacity) {
        p->capacity = p->capacity ? p->capacity * 2 : 2;
        p->code = realloc(p->code, p->capacity * sizeof *p->code);
    }
    p->code[p->length++] = (struct Code){op, operand};
}

static void skip(struct Parser *p) {
    while (isspace((unsigned char)*p->text)) p->text++;
}

static int expression(struct Parser *p);

static int primary(struct Parser *p) {
    skip(p);
    if (isdigit((unsigned char)*p->text)) {
        char *end;
        emit(p, PUSH, strtol(p->text, &end, 0));
        p->text = end;
        return 1;
    }
    if (islower((unsigned char)*p->text)) {
        int name = *p->text++ - 'a';
        skip(p);
        if (*p->text == '=') {
            p->text++;
            if (!expression(p)) return 0;
            emit(p, STORE, name);
        } else {
            emit(p, LOAD, name);
        }
        return 1;
    }
    if (*p->text == '-') {
        p->text++;
        if (!primary(p)) return 0;
        emit(p, NEG, 0);
        return 1;
    }
    if (*p->text == '(') {
        p->text++;
        if (!expression(p)) return 0;
        skip(p);
        if (*p->text != ')') {
            snprintf(p->error, sizeof p->error, "expected ) at \"%.8s\"", p->text);
            return 0;
        }
        p->text++;
        return 1;
    }
    snprintf(p->error, sizeof p->error, "unexpected %s", *p->text ? p->text : "end");
    return 0;
}

static int product(struct Parser *p) {
    if (!primary(p)) return 0;
    for (;;) {
        skip(p);
        char c = *p->text;
        if (c != '*' && c != '/') return 1;
        p->text++;
        if (!primary(p)) return 0;
        emit(p, c == '*' ? MUL : DIV, 0);
    }
}

static int expression(struct Parser *p) {
    if (!product(p)) return 0;
    for (;;) {
        skip(p);
        char c = *p->text;
        if (c != '+' && c != '-') return 1;
        p->text++;
        if (!product(p)) return 0;
        emit(p, c == '+' ? ADD : SUB, 0);
    }
}

static long variables[26];

static int run(const struct Code *code, long *result) {
    long stack[32], *top = stack;
    for (;; code++) {
        switch (code->op) {
        case PUSH: *top++ = code->operand; break;
        case LOAD: *top++ = variables[code->operand]; break;
        case STORE: variables[code->operand] = top[-1]; break;
        case ADD: top--; top[-1] += top[0]; break;
        case SUB: top--; top[-1] -= top[0]; break;
        case MUL: top--; top[-1] *= top[0]; break;
        case DIV:
            top--;
            if (top[0] == 0) return 0;
            top[-1] /= top[0];
            break;
        case NEG: top[-1] = -top[-1]; break;
        case HALT: *result = top[-1]; return 1;
        }
    }
}

int main(void) {
    const char *lines[] = {"1 + 2 * 3", "(1 + 2) * -3", "a = 0x10", "b = a * a - 6", "a + b / (c = 5)",
                           "7 / (3 - 3)", "2 * (3 + ", "1 + ?", "-(-(-4))", "c * c * c"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct Parser p = {.text = lines[i]};
        long result;
        if (!expression(&p)) {
            printf("%-16s error: %s\n", lines[i], p.error);
        } else {
            emit(&p, HALT, 0);
            if (run(p.code, &result)) printf("%-16s = %ld (%zu)\n", lines[i], result, p.length);
            else printf("%-16s error: division by zero\n", lines[i]);
        }
        free(p.code);
    }
    return 0;
}
