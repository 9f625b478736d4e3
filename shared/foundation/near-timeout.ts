/** When an invocation is near its timeout: functions log it, and `ops doctor` reports it. */

export const nearTimeout = 0.8;
