//! What usually leads to an error of the runtime, in a sentence: for those that cudair itself returns.

use crate::CudaError;

impl CudaError {
    /// What usually leads to the error, as what follows "as a rule"; none for codes that cudair never returns.
    pub(crate) fn usual_reason(self) -> Option<&'static str> {
        let at = REASONS.binary_search_by_key(&self.0, |r| r.0).ok()?;
        Some(REASONS[at].1)
    }
}

/// Number and reason, by number.
const REASONS: &[(i32, &str)] = &[
    (1, "an argument is null, out of its range, or of another allocation than the call expects"),
    (2, "more is asked for than is free: too large a size, or memory that was never given back"),
    (3, "a function of the driver is called before `cuInit`"),
    (9, "a block has too many threads, a dimension is 0, or the grid is too large for the device"),
    (12, "the pitch is less than the width of a row, or more than the device takes"),
    (13, "the symbol is no `__device__` or `__constant__` variable, or is passed as a string or an address"),
    (16, "the pointer is not what `cudaMallocHost` or `cudaHostAlloc` gave, or was freed before"),
    (20, "the channel's number of bits or its kind does not fit what the texture or the array has"),
    (21, "the direction of the copy does not fit its two pointers: `cudaMemcpyDefault` takes it from them"),
    (26, "a texture of integers is to be filtered linearly without `cudaReadModeNormalizedFloat`"),
    (27, "a texture of 32-bit integers is to be read as normalised floating-point numbers"),
    (34, "the program is linked to the stub of the library, and not to the library"),
    (46, "an earlier kernel has broken the context, and the process can make no other one"),
    (65, "kernels launch kernels more deeply than the device allows"),
    (98, "the address is not that of a `__global__` function, or is that of a function of the host"),
    (100, "no device is visible: there is none, or `CUDA_VISIBLE_DEVICES` hides it"),
    (101, "the number of the device is not less than what `cudaGetDeviceCount` gives"),
    (200, "what is loaded is no module, or is one that was cut short"),
    (201, "no context is current, or the one that is was destroyed"),
    (205, "the resource is mapped already, or is of a kind that cannot be mapped"),
    (209, "the program is compiled for other architectures than the device has (`-arch`, `-gencode`)"),
    (215, "the device does not have that limit"),
    (217, "the two devices have no way to each other's memory: `cudaDeviceCanAccessPeer` tells"),
    (224, "the device cannot share its multiprocessors out among contexts"),
    (301, "the file's name is wrong, or it is looked for in another folder"),
    (304, "the operating system refused something, such as memory or a handle"),
    (400, "the stream, event, graph or texture was destroyed before, or is of another device"),
    (401, "what is asked for does not fit the state that the resource is in"),
    (402, "the query cannot give all that is there in the form that is asked for"),
    (500, "the name is misspelt, or is the name in the source where the mangled one is asked for"),
    (600, "work is still under way, which is an answer and no failure"),
    (700, "a kernel has followed a pointer of the host, a freed one, or one past the end of its memory"),
    (701, "a block asks for more registers or shared memory than a multiprocessor has"),
    (702, "a kernel ran for longer than the system lets a device that drives a display"),
    (704, "access to the peer is enabled a second time, which does no harm"),
    (705, "access to the peer was never enabled, or is disabled a second time"),
    (708, "the setting must come before the first call that uses the device"),
    (710, "an `assert` in a kernel did not hold"),
    (712, "the range, or a part of it, was registered before"),
    (713, "the pointer is not the start of a range that was registered"),
    (716, "a kernel has read or written through a pointer that was cast to a type with a stricter alignment"),
    (
        719,
        "a kernel has broken a rule of the hardware, such as a trap or a barrier that not all threads reach",
    ),
    (720, "a cooperative launch has more blocks than can be resident at once"),
    (800, "the call is not allowed here, for instance in a function that a stream calls back"),
    (801, "the device, or the kind of memory, does not have what is asked for"),
    (900, "the call cannot be captured into a graph"),
    (901, "an earlier call in the capture failed"),
    (902, "two captures are joined by an event"),
    (903, "the capture is ended by a stream that did not begin it"),
    (904, "a stream that joined the capture by an event was not joined back before its end"),
    (905, "work that is captured is to wait for work that is not"),
    (
        906,
        "the legacy default stream is used while another stream captures: make streams with \
           `cudaStreamNonBlocking`, or use none but the one that captures",
    ),
    (
        907,
        "an event that was recorded while a stream captured is asked for or waited for outside the capture",
    ),
    (908, "the capture is ended by another thread than the one that began it"),
    (910, "the graph has another shape than the one that was instantiated"),
    (912, "the cluster has more than eight blocks, or does not divide the grid"),
    (999, "something failed for which there is no code of its own"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_that_is_returned_has_a_reason() {
        assert!(REASONS.is_sorted_by_key(|r| r.0));
        let mut seen = 0;
        for line in include_str!("error.rs").lines() {
            let Some((_, number)) = line.trim().split_once(": CudaError = CudaError(") else { continue };
            let number = number.trim_end_matches(");").parse().expect("a number");
            let error = CudaError(number);
            assert_eq!(error.usual_reason().is_some(), error != CudaError::SUCCESS, "{}", error.name());
            seen += 1;
        }
        assert!(seen > 50, "only {seen}");
        assert_eq!(CudaError(4).usual_reason(), None);
    }
}
