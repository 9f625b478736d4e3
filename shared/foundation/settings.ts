/**
 * What a stage decides about the behaviour of the functions: parsed at synth, where a wrong value is an error with a
 * reason, and once more in each function, which gets it as JSON in its environment variable `SETTINGS`.
 */
import * as v from 'valibot';
import { emailAddress } from './email.ts';

const positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const webUrl = v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//, 'is an http or https URL'));
const origin = v.pipe(
  webUrl,
  v.check((url) => new URL(url).origin === url, 'is an origin: scheme and host, without a path or a slash at the end'),
);

const publication = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  url: webUrl,
  logoUrl: v.optional(webUrl),
  accentColor: v.optional(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, 'is a colour such as #1a73e8')), '#1a4f8b'),
  language: v.optional(v.picklist(['en', 'de']), 'en'),
});

const mail = v.strictObject({
  /** The sender identity, verified in SES. */
  from: emailAddress(),
  /** Mails a second that SES grants this account; one in the sandbox. */
  perSecond: v.optional(v.pipe(v.number(), v.minValue(0.1)), 1),
  /** Mails in 24 hours that SES grants this account; 200 in the sandbox, null for no cap. */
  perDay: v.optional(v.nullable(positive), 200),
});

const invites = v.strictObject({
  expireAfterDays: v.optional(v.pipe(positive, v.maxValue(60)), 7),
  /** The page a mail links to, with `{token}` in it; null for Masthead's own page. */
  acceptUrl: v.optional(
    v.nullable(v.pipe(v.string(), v.regex(/^https?:\/\/.*\{token\}/, 'is a URL with {token} in it'))),
    null,
  ),
  mailsPerAddressInTenMinutes: v.optional(positive, 5),
  perKeyAndHour: v.optional(positive, 1000),
  /** Questions of one source address without a key, whether an invitation is open, in a minute. */
  lookupsPerSourceAndMinute: v.optional(positive, 30),
});

/** Ghost's roles; no role of the stage's own may have one of these names, in any case. */
const ghostRoles = [
  'administrator',
  'editor',
  'author',
  'contributor',
  'owner',
  'super editor',
  'admin integration',
  'ghost explore integration',
  'self-serve migration integration',
  'scheduler integration',
];

const role = v.strictObject({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1),
    v.maxLength(50),
    v.check((name) => !ghostRoles.includes(name.toLowerCase()), "is the name of one of Ghost's roles"),
  ),
  description: v.optional(v.pipe(v.string(), v.maxLength(191)), ''),
  /** Who may invite people with this role besides Owner and Administrators. */
  givenBy: v.optional(v.array(v.picklist(['Super Editor', 'Editor', 'integration'])), []),
});

/** Ranges that an address may lie in besides the public internet; names are those of ipaddr.js. */
export const addressRanges = ['loopback', 'private', 'uniqueLocal'] as const;

const targets = v.strictObject({
  /** Whether `http:` is accepted beside `https:`. */
  allowHttp: v.optional(v.boolean(), false),
  allowRanges: v.optional(v.array(v.picklist(addressRanges)), []),
});

const deliveries = v.strictObject({
  /** Seconds from each attempt to the next; the first is the wait before the first attempt. */
  retryAfterSeconds: v.optional(
    v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), v.minLength(1), v.maxLength(30)),
    [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
  ),
  connectTimeoutMs: v.optional(positive, 3000),
  /** Deadline over connect, headers and body. */
  timeoutMs: v.optional(v.pipe(positive, v.maxValue(20_000)), 10_000),
  /** The same in the fast lane, whose receivers have shown that they answer quickly. */
  fastTimeoutMs: v.optional(positive, 2000),
  /** Requests at a time to one receiver from one environment. */
  concurrencyPerReceiver: v.optional(positive, 10),
  keepDays: v.optional(v.pipe(positive, v.maxValue(365)), 30),
  disableAfterDays: v.optional(positive, 5),
});

/** A stage's settings for the functions; see `infra/cdk/stages.ts` for the values. */
export const settingsSchema = v.strictObject({
  stage: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,19}$/, 'is a short lower-case name')),
  publication,
  mail,
  invites: v.optional(invites, {}),
  /** Roles beside the ten of Ghost; `setup/seed` puts them into the table. */
  roles: v.optional(
    v.pipe(
      v.array(role),
      v.check(
        (roles) => new Set(roles.map(({ name }) => name.toLowerCase())).size === roles.length,
        'has two roles of the same name',
      ),
    ),
    [],
  ),
  targets: v.optional(targets, {}),
  deliveries: v.optional(deliveries, {}),
  /** Origins whose pages may call the API from a browser. */
  allowedOrigins: v.optional(v.array(origin), []),
  /** Event names beside the 29 of Ghost. */
  ownEvents: v.optional(
    v.array(
      v.pipe(
        v.string(),
        v.maxLength(50),
        v.regex(/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/, 'is a name such as shop.order.paid'),
      ),
    ),
    [],
  ),
});

export type Settings = v.InferOutput<typeof settingsSchema>;
export type SettingsInput = v.InferInput<typeof settingsSchema>;
