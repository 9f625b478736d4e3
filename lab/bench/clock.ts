/** Milliseconds on a clock that all processes of this machine share, to measure durations across processes. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;
