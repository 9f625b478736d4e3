/** The settings of a stage that functions read: checked at synth, and passed as JSON in `SETTINGS`, with defaults. */
import * as v from 'valibot';
import { longestDeliveryDays, scheduleJitter } from './delivery-times.ts';
import { emailAddress } from './email.ts';
import { plainName } from './fields.ts';
import { ghostRoles } from './ghost-roles.ts';

const positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const webUrl = v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//, 'must be an http or https URL'));
const origin = v.pipe(
  webUrl,
  v.check(
    (url) => new URL(url).origin === url,
    'must be an origin: scheme and host, without a path or a trailing slash',
  ),
);

/** Only the synth checks that the database knows the time zone: that takes a tenth of a function's INIT. */
const timezone = v.pipe(v.string(), v.regex(/^[A-Za-z][\w+/-]*$/, 'must be a time zone such as Europe/Berlin'));

const publication = v.strictObject({
  name: v.pipe(plainName, v.maxLength(100)),
  url: webUrl,
  description: v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
  logoUrl: v.optional(webUrl),
  iconUrl: v.optional(webUrl),
  timezone: v.optional(timezone, 'Etc/UTC'),
  /** The colour of buttons in mails and on pages. */
  accentColor: v.optional(
    v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1a73e8')),
    '#1a4f8b',
  ),
  language: v.optional(v.picklist(['en', 'de']), 'en'),
});

const mail = v.strictObject({
  /** The sender identity, verified in SES. */
  from: emailAddress(),
  /** Whether the account is in SES's sandbox: it may mail only verified addresses and the mailbox simulator. */
  sandbox: v.optional(v.boolean(), false),
  /** Mails per second that SES allows this account; 1 in the sandbox. */
  perSecond: v.optional(v.pipe(v.number(), v.minValue(0.1)), 1),
  /** Mails in 24 hours that SES allows this account; 200 in the sandbox, null for no cap. */
  perDay: v.optional(v.nullable(positive), 200),
});

const invites = v.strictObject({
  expireAfterDays: v.optional(v.pipe(positive, v.maxValue(60)), 7),
  /** Days for which an invite is kept after its link has expired, with its address and its inviter's. */
  keepDays: v.optional(v.pipe(positive, v.minValue(30), v.maxValue(3650)), 365),
  /** The page that mails link to, with the placeholder `{token}`; null for Masthead's own page. */
  acceptUrl: v.optional(
    v.nullable(v.pipe(v.string(), v.regex(/^https?:\/\/.*\{token\}/, 'must be a URL that contains {token}'))),
    null,
  ),
  mailsPerAddressInTenMinutes: v.optional(positive, 5),
  /** Invites of one staff member in an hour. */
  perCallerAndHour: v.optional(positive, 1000),
  /** Invites of one integration in an hour, refused items included. */
  perIntegrationAndHour: v.optional(positive, 100),
  /** Requests per minute and source address that ask, without a key, whether an invitation is open. */
  lookupsPerSourceAndMinute: v.optional(positive, 30),
});

const publishing = v.strictObject({
  /** The approximate number of requests of one publisher, each with up to ten events (shared/limits/sampled.ts). */
  requestsPerCallerAndMinute: v.optional(positive, 6000),
});

const signIn = v.strictObject({
  /** Mails with a sign-in link to one address, in ten minutes. */
  mailsPerAddressInTenMinutes: v.optional(positive, 5),
  /** Such mails to one address per day; browsers that have signed in as the member before are counted separately. */
  mailsPerAddressAndDay: v.optional(positive, 20),
  /** Requests for such mails per minute and source address. */
  requestsPerSourceAndMinute: v.optional(positive, 30),
});

/** The maximum number of items in a stage; creating one more is refused with 422. */
const caps = v.strictObject({
  webhooks: v.optional(positive, 1000),
  /** Webhooks of all integrations, approximately (shared/limits/cap.ts). */
  webhooksOfStage: v.optional(positive, 10_000),
  /** Integrations, each of which has one key, or two while one replaces the other. */
  integrations: v.optional(positive, 1000),
});

/** Custom roles may not have the name of a Ghost role, in any combination of upper and lower case. */
const ghostRoleNames: readonly string[] = ghostRoles.map(({ name }) => name.toLowerCase());

const role = v.strictObject({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1),
    v.maxLength(50),
    v.check((name) => !ghostRoleNames.includes(name.toLowerCase()), "must not be the name of one of Ghost's roles"),
  ),
  description: v.optional(v.pipe(v.string(), v.maxLength(191)), ''),
  /** Who can assign this role in addition to the Owner and Administrators. */
  assignableBy: v.optional(v.array(v.picklist(['Super Editor', 'Editor', 'integration'])), []),
});

/** Address ranges that a stage can allow in addition to the public internet; the names are those of ipaddr.js. */
export const addressRanges = ['loopback', 'private', 'uniqueLocal'] as const;

const targets = v.strictObject({
  allowHttp: v.optional(v.boolean(), false),
  allowRanges: v.optional(v.array(v.picklist(addressRanges)), []),
});

const deliveries = v.strictObject({
  /** Seconds from each attempt to the next; the first is the wait before the first attempt. */
  retryAfterSeconds: v.optional(
    v.pipe(
      v.array(v.pipe(v.number(), v.integer(), v.minValue(0))),
      v.minLength(1),
      v.maxLength(30),
      v.check(([first = 0]) => first <= 900, 'must begin with at most 900 s, the longest delay of SQS'),
      v.check(
        (seconds) => seconds.reduce((sum, one) => sum + one, 0) * (1 + scheduleJitter) <= longestDeliveryDays * 86_400,
        'must not exceed 504,000 s (5.8 days) in sum: with a fifth of jitter, the last attempt starts within seven ' +
          'days of the event',
      ),
    ),
    [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
  ),
  /** The time in which a connection must open. */
  connectTimeoutMs: v.optional(positive, 3000),
  /** The time a receiver has to answer, from the open connection to the end of the response. */
  timeoutMs: v.optional(positive, 10_000),
  /** The soft deadline in ms: an unanswered attempt makes its webhook slow, and continues. */
  slowAfterMs: v.optional(positive, 1000),
  /** Concurrent requests to one receiver from one environment. */
  concurrencyPerReceiver: v.optional(positive, 10),
  /** Requests a second to one host by those webhooks of an integration that it has not answered with success. */
  unansweredPerHostAndSecond: v.optional(v.pipe(positive, v.maxValue(100)), 20),
  /** Days for which deliveries are kept, at least eight. */
  keepDays: v.optional(v.pipe(positive, v.maxValue(365)), 30),
  replaysPerCallerAndHour: v.optional(positive, 30),
  redeliveriesPerCallerAndHour: v.optional(positive, 1000),
  /** Days of failures only, after which a webhook is disabled. */
  disableAfterDays: v.optional(positive, 5),
});

const audit = v.strictObject({
  keepDays: v.optional(v.pipe(positive, v.maxValue(3650)), 90),
});

/** The values are in `infra/cdk/stages.ts`. */
export const settingsSchema = v.strictObject({
  /** Fits into Lambda's 64 characters. No dashes: the queue `deliveries` of `dev-slow` would be `dev`'s slow one. */
  stage: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]{0,18}$/, 'must have 1 to 19 lower-case letters and digits')),
  publication,
  mail,
  invites: v.optional(invites, {}),
  publishing: v.optional(publishing, {}),
  signIn: v.optional(signIn, {}),
  caps: v.optional(caps, {}),
  audit: v.optional(audit, {}),
  /** Roles in addition to the ten of Ghost; `setup/seed` writes them to the table. */
  roles: v.optional(
    v.pipe(
      v.array(role),
      v.check(
        (roles) => new Set(roles.map(({ name }) => name.toLowerCase())).size === roles.length,
        'must not have two roles with the same name',
      ),
    ),
    [],
  ),
  targets: v.optional(targets, {}),
  deliveries: v.optional(deliveries, {}),
  /** Origins whose pages can call the API from a browser. */
  allowedOrigins: v.optional(v.array(origin), []),
  /** Event names in addition to Ghost's 29. */
  ownEvents: v.optional(
    v.array(
      v.pipe(
        v.string(),
        v.maxLength(50),
        v.regex(/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/, 'must be a name such as shop.order.paid'),
      ),
    ),
    [],
  ),
});

export type Settings = v.InferOutput<typeof settingsSchema>;
export type SettingsInput = v.InferInput<typeof settingsSchema>;
