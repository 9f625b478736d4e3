/** The one way to log: a JSON line for each thing that is worth it. Callers pass ids and numbers, never secrets, tokens or addresses. */

type Fields = Readonly<Record<string, unknown>>;

/** The stage that speaks; the dimension of every metric too. */
const service = process.env.SERVICE_NAME;
/** Tests say so, where nobody reads what is logged. */
const isSilent = process.env.LOG_LEVEL === 'SILENT';

/** What is in all lines of an invocation. */
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
    ...(error !== undefined && { error: told(error) }),
  };
  // Past the console, into whose lines Lambda would wrap it.
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Causes of causes that are told; errors may be each other's cause. */
const mostCauses = 4;

/** What `JSON.stringify` would not find by itself, and nothing else of an error: to log must not fail. */
const told = (error: unknown, causes = mostCauses): Fields => {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { name, message, code, stack, ...(cause !== undefined && causes > 0 && { cause: told(cause, causes - 1) }) };
};

/** `error` among the fields is written with its stack and its causes. */
export const log = {
  info: (message: string, fields: Fields = {}): void => write('INFO', message, fields),
  warn: (message: string, fields: Fields = {}): void => write('WARN', message, fields),
  error: (message: string, fields: Fields = {}): void => write('ERROR', message, fields),
  /** Begins an invocation: from now on these are in each line, in place of those before. */
  begin: (fields: Fields): void => {
    common = fields;
  },
  /** Adds to what is in each line of this invocation. */
  add: (fields: Fields): void => {
    common = { ...common, ...fields };
  },
};
