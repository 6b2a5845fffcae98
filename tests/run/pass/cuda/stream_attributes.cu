// Attributes of streams: what is set is given back; what no device takes is refused.
#include <cstdio>

int main() {
    cudaStream_t s, other;
    cudaStreamCreate(&s);
    cudaStreamCreate(&other);
    int* data;
    cudaMalloc(&data, 1024);

    cudaStreamAttrValue value;
    value.accessPolicyWindow.base_ptr = data;
    value.accessPolicyWindow.num_bytes = 1024;
    value.accessPolicyWindow.hitRatio = 0.5f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    printf("%d", cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
    cudaStreamAttrValue back;
    printf(" %d", cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &back));
    printf(" %d %zu %g\n", back.accessPolicyWindow.base_ptr == data, back.accessPolicyWindow.num_bytes,
           back.accessPolicyWindow.hitRatio);

    printf("%d", cudaStreamCopyAttributes(other, s));
    printf(" %d", cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &back));
    printf(" %d\n", back.accessPolicyWindow.base_ptr == data);

    value.accessPolicyWindow.hitRatio = 2;
    printf("%d", cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
    printf(" %d", cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value));
    printf(" %d\n", cudaStreamSetAttribute(s, (cudaLaunchAttributeID)77, &value));

    printf("%d", cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &back));
    printf(" %d", back.syncPolicy == cudaSyncPolicyAuto);
    value.syncPolicy = cudaSyncPolicySpin;
    printf(" %d", cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value));
    cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &back);
    printf(" %d", back.syncPolicy == cudaSyncPolicySpin);
    printf(" %d\n", cudaCtxResetPersistingL2Cache());

    cudaFree(data);
    cudaStreamDestroy(s);
    cudaStreamDestroy(other);
}
