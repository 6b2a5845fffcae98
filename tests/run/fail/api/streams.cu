// Streams and events: handles that are none or no more, and what their functions refuse.
#include <initializer_list>
#include <thread>
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void nothing() {}
static void CUDART_CB note(void *) {}
static void CUDART_CB after(cudaStream_t, cudaError_t, void *) {}

int main() {
    cudaStream_t gone, s, t;
    cudaEvent_t past, e, f;
    cudaStreamCreate(&gone);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&past);
    cudaEventCreate(&e);
    cudaEventCreateWithFlags(&f, cudaEventDisableTiming);
    SAY(cudaStreamDestroy(gone));
    SAY(cudaEventDestroy(past));
    unsigned flags;
    int n;
    unsigned long long id;
    cudaStreamCaptureStatus status;
    cudaLaunchAttributeValue value = {};
    float ms;

    SAY(cudaStreamDestroy(gone)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamDestroy(nullptr));
    SAY(cudaStreamDestroy(cudaStreamLegacy));
    SAY(cudaStreamCreateWithPriority(nullptr, 0, 0));
    SAY(cudaStreamCreateWithPriority(&s, 0x10, 0));
    SAY(cudaStreamSynchronize(gone)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamQuery(gone)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamWaitEvent(gone, e, 0)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamWaitEvent(s, past, 0)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cudaStreamWaitEvent(s, nullptr, 0)); //~ ERROR api-error: this value is not an event
    SAY(cudaStreamGetFlags(gone, &flags)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamGetPriority(gone, &n)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamGetPriority(s, nullptr));
    SAY(cudaStreamGetId(gone, &id)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamGetId(s, nullptr));
    SAY(cudaStreamGetDevice(gone, &n)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamGetDevice(s, nullptr));
    SAY(cudaStreamIsCapturing(gone, &status)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamIsCapturing(s, nullptr));
    SAY(cudaStreamAddCallback(gone, after, nullptr, 0)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamAddCallback(s, after, nullptr, 1));
    SAY(cudaStreamAddCallback(s, nullptr, nullptr, 0));
    SAY(cudaLaunchHostFunc(gone, note, nullptr)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamSetAttribute(gone, cudaLaunchAttributePriority, &value)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, nullptr));
    SAY(cudaStreamGetAttribute(gone, cudaLaunchAttributePriority, &value)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamGetAttribute(s, (cudaLaunchAttributeID)70, &value));
    SAY(cudaStreamCopyAttributes(s, gone)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamAttachMemAsync(gone, &n)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`

    SAY(cudaEventDestroy(past)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cudaEventDestroy(nullptr)); //~ ERROR api-error: this value is not an event
    SAY(cudaEventCreateWithFlags(nullptr, 0));
    SAY(cudaEventCreateWithFlags(&past, cudaEventInterprocess));
    SAY(cudaEventRecord(past, s)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cudaEventRecord(e, gone)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaEventRecord(nullptr, s)); //~ ERROR api-error: this value is not an event
    SAY(cudaEventRecordWithFlags(past, s, 0)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cudaEventRecordWithFlags(e, s, 5));
    SAY(cudaEventQuery(past)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cudaEventQuery(nullptr)); //~ ERROR api-error: this value is not an event
    SAY(cudaEventSynchronize(past)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cudaEventSynchronize(nullptr)); //~ ERROR api-error: this value is not an event
    SAY(cudaEventElapsedTime(&ms, past, e)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cudaEventElapsedTime(&ms, e, e));
    cudaEventRecord(e, s);
    cudaEventRecord(f, s);
    SAY(cudaEventElapsedTime(nullptr, e, e));
    SAY(cudaEventElapsedTime(&ms, e, f));
    SAY(cudaEventElapsedTime_v2(&ms, past, e)); //~ ERROR api-error: an event is used after `cudaEventDestroy`
    SAY(cudaEventElapsedTime_v2(nullptr, e, e));
    nothing<<<1, 1, 0, gone>>>(); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaGetLastError());

    // A handle of the other kind.
    SAY(cudaStreamSynchronize((cudaStream_t)e)); //~ ERROR api-error: this value is not a stream
    SAY(cudaEventQuery((cudaEvent_t)s)); //~ ERROR api-error: this value is not an event

    // Not recorded to the end, as far as the host knows.
    cudaEvent_t first, last;
    cudaEventCreate(&first);
    cudaEventCreate(&last);
    cudaEventRecord(first, s);
    nothing<<<1, 1, 0, s>>>();
    cudaEventRecord(last, s);
    SAY(cudaEventElapsedTime(&ms, first, last));
    SAY(cudaEventElapsedTime_v2(&ms, first, last));
    cudaStreamSynchronize(s);
    SAY(cudaEventElapsedTime(&ms, first, last));

    // Captures.
    cudaGraph_t graph;
    SAY(cudaStreamBeginCapture(gone, cudaStreamCaptureModeGlobal)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)9));
    SAY(cudaStreamEndCapture(s, &graph));
    SAY(cudaStreamEndCapture(gone, &graph)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    SAY(cudaStreamEndCapture(s, nullptr));
    SAY(cudaStreamBeginCaptureToGraph(t, nullptr, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cudaStreamGetCaptureInfo(t, nullptr));
    SAY(cudaStreamGetCaptureInfo_v3(t, nullptr));
    SAY(cudaStreamGetCaptureInfo_v3(gone, &status)); //~ ERROR api-error: a stream is used after `cudaStreamDestroy`
    SAY(cudaStreamGetCaptureInfo_v3(t, &status));
    SAY(cudaStreamUpdateCaptureDependencies(t, nullptr, 0));
    SAY(cudaStreamUpdateCaptureDependencies_v2(t, nullptr, nullptr, 0));
    SAY(cudaThreadExchangeStreamCaptureMode(nullptr));
    cudaStreamCaptureMode mode = (cudaStreamCaptureMode)9;
    SAY(cudaThreadExchangeStreamCaptureMode(&mode));

    // The legacy default stream waits for streams that are captured.
    int device;
    SAY(cudaStreamBeginCapture(t, cudaStreamCaptureModeThreadLocal));
    SAY(cudaStreamIsCapturing(cudaStreamLegacy, &status));
    SAY(cudaStreamGetCaptureInfo(cudaStreamLegacy, &status));
    SAY(cudaStreamGetCaptureInfo_v3(cudaStreamLegacy, &status));
    SAY(cudaStreamUpdateCaptureDependencies(t, nullptr, 0, 9));
    SAY(cudaStreamUpdateCaptureDependencies_v2(t, nullptr, nullptr, 1));
    SAY(cudaStreamUpdateCaptureDependencies_v2(t, nullptr, nullptr, 0));
    SAY(cudaStreamGetDevice(t, &device));
    // A thread ends what another one began.
    std::thread([t] {
        cudaGraph_t graph;
        SAY(cudaStreamEndCapture(t, &graph)); //~ ERROR api-error: only the thread that began this capture may end it: its mode is not relaxed
    }).join();
    SAY(cudaStreamEndCapture(t, &graph));
    SAY(cudaGraphDestroy(graph));
    SAY(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed));
    std::thread([t] {
        cudaGraph_t graph;
        SAY(cudaStreamEndCapture(t, &graph));
        SAY(cudaGraphDestroy(graph));
    }).join();

    for (cudaEvent_t one : {e, f, first, last})
        cudaEventDestroy(one);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}
