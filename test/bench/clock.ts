/** Milliseconds on the one clock that all processes of this machine share, so that what begins in one and ends in another can be timed. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;
