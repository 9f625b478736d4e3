/** When an invocation is near its timeout: functions log it, and `ops doctor` reports it. */

/** The share of the timeout from which it is. */
export const nearTimeout = 0.8;
