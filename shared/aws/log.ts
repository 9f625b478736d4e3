/** Writes JSON log lines; the only way to log. Callers pass ids and numbers, never secrets, tokens or addresses. */

type Fields = Readonly<Record<string, unknown>>;

/** The stage; also the dimension of every metric. */
const service = process.env.SERVICE_NAME;
/** Identifies the code that the stack traces of errors come from (docs/debugging.md). */
const bundle = process.env.BUNDLE;
/** Set by tests that do not read the log. */
const isSilent = process.env.LOG_LEVEL === 'SILENT';

let common: Fields = {};

const write = (level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: Fields): void => {
  if (isSilent) return;
  const { error, ...others } = fields;
  const line = {
    level,
    message,
    timestamp: new Date().toISOString(),
    service,
    ...common,
    ...others,
    ...(error !== undefined && { bundle, error: describe(error) }),
  };
  // Not through the console, because Lambda would wrap the line in another JSON object.
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** The maximum depth of causes in the log, because two errors can be each other's cause. */
const maxCauses = 4;

/** Returns the fields of an error that `JSON.stringify` omits, and no others, because logging must never fail. */
const describe = (error: unknown, causes = maxCauses): Fields => {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return {
    name,
    message,
    code,
    stack,
    ...(cause !== undefined && causes > 0 && { cause: describe(cause, causes - 1) }),
  };
};

/** A field `error` is written with its stack and its causes. */
export const log = {
  info: (message: string, fields: Fields = {}): void => write('INFO', message, fields),
  warn: (message: string, fields: Fields = {}): void => write('WARN', message, fields),
  error: (message: string, fields: Fields = {}): void => write('ERROR', message, fields),
  /** Begins an invocation: replaces the fields of every line. */
  begin: (fields: Fields): void => {
    common = fields;
  },
  add: (fields: Fields): void => {
    common = { ...common, ...fields };
  },
};
