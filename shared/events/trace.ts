/** The trace of an event by W3C Trace Context: the publisher's `traceparent`, which every attempt forwards as it is. */

/** A header of version 00, or a later one's first four fields (W3C Trace Context, "Versioning of traceparent"). */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;

/** Returns a publisher's `traceparent`, up to a later version's additions; undefined for a wrong one, not an error. */
export const readTraceparent = (value: unknown): string | undefined => {
  const [found] = (typeof value === 'string' && form.exec(value)) || [];
  return found === undefined || (found.startsWith('00') && found !== value) ? undefined : found;
};

/** Returns the id of the trace, which the log names and by which a tracing system finds it. */
export const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.slice(3, 35);
