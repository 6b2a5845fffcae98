// Bodies that attract each other: once as an array of structs, once as a struct of arrays.
#include "host.h"
#include <math.h>

#define N 1024

struct Body {
    float x, y, z, mass;
    float vx, vy, vz;
};

struct Bodies {
    float *x, *y, *z, *mass;
    float *vx, *vy, *vz;
    int n;
};

static void step_aos(Body *bodies, int n, float dt)
{
    for (int i = 0; i < n; i++) {
        float ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            float dx = bodies[j].x - bodies[i].x;
            float dy = bodies[j].y - bodies[i].y;
            float dz = bodies[j].z - bodies[i].z;
            float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float w = bodies[j].mass / (r2 * sqrtf(r2));
            ax += dx * w;
            ay += dy * w;
            az += dz * w;
        }
        bodies[i].vx += ax * dt;
        bodies[i].vy += ay * dt;
        bodies[i].vz += az * dt;
    }
}

static void step_soa(Bodies *b, float dt)
{
    for (int i = 0; i < b->n; i++) {
        float ax = 0, ay = 0, az = 0;
        for (int j = 0; j < b->n; j++) {
            float dx = b->x[j] - b->x[i];
            float dy = b->y[j] - b->y[i];
            float dz = b->z[j] - b->z[i];
            float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float w = b->mass[j] / (r2 * sqrtf(r2));
            ax += dx * w;
            ay += dy * w;
            az += dz * w;
        }
        b->vx[i] += ax * dt;
        b->vy[i] += ay * dt;
        b->vz[i] += az * dt;
    }
}

static float number(void)
{
    return (float)(host_random() % 1000) * 0.01f;
}

int main(void)
{
    Body *aos = (Body *)malloc(N * sizeof(Body));
    Bodies soa;
    float *all = (float *)malloc(7 * N * sizeof(float));
    soa.x = all;
    soa.y = all + N;
    soa.z = all + 2 * N;
    soa.mass = all + 3 * N;
    soa.vx = all + 4 * N;
    soa.vy = all + 5 * N;
    soa.vz = all + 6 * N;
    soa.n = N;
    for (int i = 0; i < N; i++) {
        Body b = {number(), number(), number(), number(), 0, 0, 0};
        aos[i] = b;
        soa.x[i] = b.x;
        soa.y[i] = b.y;
        soa.z[i] = b.z;
        soa.mass[i] = b.mass;
        soa.vx[i] = soa.vy[i] = soa.vz[i] = 0;
    }
    host_begin();
    step_aos(aos, N, 0.01f);
    step_soa(&soa, 0.01f);
    host_end();
    double a = 0, b = 0;
    for (int i = 0; i < N; i++) {
        a += aos[i].vx + 2 * aos[i].vy + 3 * aos[i].vz;
        b += soa.vx[i] + 2 * soa.vy[i] + 3 * soa.vz[i];
    }
    printf("%.9g %.9g\n", a, b);
    free(aos);
    free(all);
    return 0;
}
