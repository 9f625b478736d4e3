/** Names the cause of a failed attempt, for which there is one advice each. */

export const causes = [
  'credentials',
  'address',
  'gone',
  'pause',
  'redirect',
  'refused',
  'server',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'forbidden',
  'other',
] as const;
export type Cause = (typeof causes)[number];

const byStatus: Readonly<Record<string, Cause>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'address',
  405: 'address',
  410: 'gone',
  429: 'pause',
};

const byClass: Readonly<Record<string, Cause>> = { 3: 'redirect', 4: 'refused', 5: 'server' };

/** Returns the cause of an attempt by the status of its answer, or by why there was none (`last_status` and `last_error` of the API). */
export const causeOf = (status: string | null, error: string | null): Cause => {
  if (status !== null) return byStatus[status] ?? byClass[status.slice(0, 1)] ?? 'other';
  if (error === 'blocked') return 'forbidden';
  return causes.find((cause) => cause === error) ?? 'other';
};
