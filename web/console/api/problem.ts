/** What can go wrong with a request: the envelope of an error, or no answer at all. */

interface Failure {
  readonly index: number | null;
  readonly field: string;
  readonly rule: string;
  readonly received: string;
}

/** The first error of an envelope (docs/compatibility.md, "Errors"). */
export interface ErrorEntry {
  readonly message: string;
  readonly context: string | null;
  readonly type: string;
  /** The failures of several items, by their position in the request. */
  readonly details: readonly Failure[] | null;
  readonly property: string | null;
  readonly help: string | null;
  readonly code: string | null;
  readonly id: string | null;
}

/** The API refused a request, or failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly entry: ErrorEntry;
  constructor(status: number, entry: ErrorEntry) {
    super(entry.message);
    this.status = status;
    this.entry = entry;
  }
}

/** There was no answer: the network or the server is down. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
}

/** Returns the error of an answer. An answer without an envelope comes from a gateway in between. */
export const errorOf = (status: number, body: unknown): ApiError => {
  const [entry] = hasErrors(body) ? body.errors : [];
  return new ApiError(status, {
    message: entry?.message ?? `HTTP ${status}`,
    context: entry?.context ?? null,
    type: entry?.type ?? 'UnknownError',
    details: entry?.details ?? null,
    property: entry?.property ?? null,
    help: entry?.help ?? null,
    code: entry?.code ?? null,
    id: entry?.id ?? null,
  });
};

const hasErrors = (body: unknown): body is { readonly errors: readonly (Partial<ErrorEntry> | undefined)[] } =>
  typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors);
