# cudair in a container: the archive of `./x release`, and the headers of C and C++ that programs include.
#
#   docker build --tag cudair .
#   docker run --rm --volume "$PWD:/programs:ro" --workdir /programs cudair run examples/sum.cu
FROM rust:1.95-bookworm AS build
WORKDIR /build
COPY . .
RUN ./x release && mkdir /archive && tar -xzf target/archive/cudair-*.tar.gz -C /archive --strip-components=1

FROM debian:bookworm-slim
RUN apt-get update -qq \
    && apt-get install -qq -y --no-install-recommends libc6-dev libstdc++-12-dev \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /archive /opt/cudair
RUN ln -s /opt/cudair/cudair /usr/local/bin/cudair
# A program under test needs no rights.
USER nobody
ENTRYPOINT ["cudair"]
CMD ["--help"]
