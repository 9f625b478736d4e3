/** What a running stack's terminal shows: a line per request, traced event, delivery and mail, and failing code. */
import PostalMime from 'postal-mime';
import * as v from 'valibot';
import type { Answered } from '../emulator/gateway/server.ts';
import type { Step } from '../emulator/proxy/call.ts';
import { codeFrame } from './code-frame.ts';

/** How the terminal shows it: as text, as JSON lines, or not at all. */
export type ActivityForm = 'text' | 'json' | 'none';

export interface Activity {
  readonly type: 'request' | 'event' | 'delivery' | 'mail' | 'error';
  /** Without secrets, tokens and payloads. */
  readonly fields: Readonly<Record<string, string | number | undefined>>;
  readonly text: string;
}

/** Returns the function that shows an activity. */
export const activityPrinter = (form: ActivityForm, print = console.log): ((activity: Activity) => void) => {
  if (form === 'none') return () => {};
  if (form === 'json')
    return ({ type, fields }) => print(JSON.stringify({ type, time: new Date().toISOString(), ...fields }));
  return ({ type, text }) => print(`${new Date().toTimeString().slice(0, 8)}  ${type.padEnd(8)}  ${text}`);
};

/** Ids have 24 characters; keys, tokens and secrets have more. */
const maxSegment = 26;

/** Hides what can be a token: parameters of that name, and long parts of a path. The query is not shown. */
const shownPath = (path: string, resource: string | undefined): string => {
  const parts = resource?.split('/') ?? [];
  const shown = path.split('/').map((part, at) => {
    if (parts[at] === '{token}') return '{token}';
    return part.length > maxSegment ? '…' : part;
  });
  return shown.join('/');
};

/** Returns the line of a request. */
export const requestActivity = ({ method, path, resource, status, ms }: Answered): Activity => {
  const fields = { method, path: shownPath(path, resource), status, ms: Math.round(ms) };
  return { type: 'request', fields, text: `${method} ${fields.path} ${status} ${fields.ms} ms` };
};

/** Returns whether the console of a signed-in browser asked, as it does every few seconds, and got an answer. */
export const isConsoleRefresh = ({ method, status, hasSession }: Answered): boolean =>
  hasSession && method === 'GET' && status < 400;

const tracedLine = v.variant('message', [
  v.object({
    message: v.literal('answered'),
    trace_id: v.string(),
    event_ids: v.array(v.string()),
    deliveries: v.optional(v.number(), 0),
  }),
  v.object({ message: v.literal('fanned out'), trace_id: v.string(), event_id: v.string(), deliveries: v.number() }),
]);

/** Returns the step of a traced event, acceptance or fan-out, that a line of the functions' log reports; often none. */
export const traceActivities = (line: string): readonly Activity[] => {
  if (!line.includes('"trace_id"')) return [];
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), tracedLine), line);
  if (!parsed.success) return [];
  const { trace_id, deliveries, ...step } = parsed.output;
  const [ids, does] =
    step.message === 'answered' ? [step.event_ids.join(', '), 'accepted'] : [step.event_id, 'fanned out'];
  const text = `${ids} ${does}, deliveries: ${deliveries}, trace ${trace_id}`;
  return [{ type: 'event', fields: { event_id: ids, step: does, deliveries, trace_id }, text }];
};

const delivery = {
  event_id: v.string(),
  delivery_id: v.string(),
  webhook_id: v.string(),
  attempts: v.number(),
  trace_id: v.optional(v.string()),
};
const logLine = v.variant('message', [
  v.object({
    message: v.literal('delivered'),
    deliveries: v.array(v.object(delivery)),
  }),
  v.object({
    message: v.literal('not delivered'),
    ...delivery,
    status: v.string(),
    last_status: v.nullish(v.string()),
    last_error: v.nullish(v.string()),
    next_attempt_at: v.nullish(v.string()),
  }),
  v.object({
    message: v.literal('waits'),
    ...delivery,
    waiting_for: v.string(),
    next_attempt_at: v.nullable(v.string()),
  }),
]);

/** Returns the deliveries that a line of the functions' log reports; most lines report none. */
export const deliveryActivities = (line: string): readonly Activity[] => {
  if (!/"message":"((not )?delivered|waits)"/.test(line)) return [];
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), logLine), line);
  if (!parsed.success) return [];
  if (parsed.output.message === 'delivered')
    return parsed.output.deliveries.map((one) => deliveryActivity({ ...one, status: 'delivered' }));
  if (parsed.output.message === 'waits') return [waitActivity(parsed.output)];
  const { message: _, last_status, last_error, next_attempt_at, ...rest } = parsed.output;
  return [
    deliveryActivity({
      ...rest,
      ...(last_status != null && { last_status }),
      ...(last_error != null && { last_error }),
      ...(next_attempt_at != null && { next_attempt_at }),
    }),
  ];
};

interface DeliveryFields {
  readonly event_id: string;
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly attempts: number;
  readonly trace_id?: string | undefined;
  readonly status: string;
  readonly last_status?: string;
  readonly last_error?: string;
  readonly next_attempt_at?: string;
}

const deliveryActivity = (fields: DeliveryFields): Activity => {
  const { delivery_id, webhook_id, attempts, trace_id, status, last_status, last_error, next_attempt_at } = fields;
  const reason = [last_status, last_error].filter((part) => part !== undefined).join(' ');
  const text = [
    `${delivery_id} to webhook ${webhook_id} ${status}, attempt ${attempts}`,
    ...(status === 'delivered' || reason === '' ? [] : [reason]),
    ...(next_attempt_at === undefined ? [] : [`next attempt at ${next_attempt_at}`]),
    ...(trace_id === undefined ? [] : [`trace ${trace_id}`]),
  ].join(', ');
  return { type: 'delivery', fields: { ...fields }, text };
};

type Waits = Extract<v.InferOutput<typeof logLine>, { readonly message: 'waits' }>;

const waitActivity = ({ message: _, next_attempt_at, ...fields }: Waits): Activity => {
  const { delivery_id, webhook_id, waiting_for } = fields;
  const next = next_attempt_at === null ? '' : `, next attempt at ${next_attempt_at}`;
  const text = `${delivery_id} to webhook ${webhook_id} waits (${waiting_for})${next}`;
  return { type: 'delivery', fields: { ...fields, ...(next_attempt_at !== null && { next_attempt_at }) }, text };
};

const errorLine = v.object({
  level: v.literal('ERROR'),
  function: v.string(),
  error_id: v.optional(v.string()),
  error: v.object({ name: v.optional(v.string(), 'Error'), message: v.string(), stack: v.optional(v.string(), '') }),
});

/** Returns our error that a line of the functions' log reports, with the code that threw it; most report none. */
export const errorActivities = (line: string): readonly Activity[] => {
  if (!line.includes('"level":"ERROR"')) return [];
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), errorLine), line);
  if (!parsed.success) return [];
  const { function: name, error_id, error } = parsed.output;
  const frame = codeFrame(error.stack);
  const text = [`${name}: ${error.name}: ${error.message}`, ...(frame === '' ? [] : [frame])].join('\n');
  const fields = { function: name, error_id, name: error.name, message: error.message, place: frame.split('\n')[0] };
  return [{ type: 'error', fields, text }];
};

const sentMail = v.object({ 'Destinations.member.1': v.string(), 'RawMessage.Data': v.pipe(v.string(), v.base64()) });

/** Returns the step of the proxy that reports each mail that a function sends. */
export const watchMails =
  (report: (activity: Activity) => void): Step =>
  async (call, next) => {
    const answer = await next(call);
    if (call.service === 'ses') {
      const mail = v.safeParse(sentMail, call.input);
      if (mail.success) report(await mailActivity(mail.output, answer.status));
    }
    return answer;
  };

const mailActivity = async (mail: v.InferOutput<typeof sentMail>, status: number): Promise<Activity> => {
  const { subject } = await PostalMime.parse(Buffer.from(mail['RawMessage.Data'], 'base64'));
  const fields = { to: mail['Destinations.member.1'], subject, status };
  const outcome = status < 300 ? 'sent' : `refused with ${status}`;
  return { type: 'mail', fields, text: `to ${fields.to} ${outcome}: ${fields.subject}` };
};
