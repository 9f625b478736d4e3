/** The stages and their settings. Defaults are in `stage.ts` and `shared/foundation/settings.ts`. */
import type { StageInput } from './stage.ts';

export const stages = {
  /** To try things out: costs cents while idle, and can be deleted with all its data. */
  dev: {
    region: 'eu-central-1',
    publication: { name: 'Example (dev)', url: 'https://dev.example.org' },
    mail: { from: 'desk@dev.example.org', sandbox: true },
    // A new account has ten. docs/scale.md has the calculation.
    accountConcurrency: 10,
    concurrency: { events: 2, deliveries: 2, 'slow-deliveries': 2, replays: null, deletions: null },
    features: { dashboard: true },
  },

  /** For production. */
  prod: {
    region: 'eu-central-1',
    publication: { name: 'Example', url: 'https://www.example.org' },
    mail: { from: 'desk@example.org', perSecond: 14, perDay: 50_000 },
    allowedOrigins: ['https://www.example.org'],
    alarmTargets: [{ email: 'on-call@example.org' }],
    runbookUrl: 'https://github.com/example/masthead/blob/main/docs/operations.md',
    retain: true,
    logRetentionDays: 90,
    // Request the quota before the first deploy: `npm run ops -- doctor --stage prod` shows the current value.
    accountConcurrency: 1000,
    // Ten webhooks that hang for the first time block one environment of the normal lane for ten seconds:
    // 100 environments suffice for a thousand at once.
    concurrency: { deliveries: 100, 'slow-deliveries': 20, replays: null, deletions: null },
    features: { dashboard: true, alarms: true, accessLogs: true, customerManagedKey: true },
  },

  /** Run by `npm start` on one machine; never deployed. */
  local: {
    region: null,
    sourceMaps: true,
    publication: { name: 'Masthead on this machine', url: 'https://www.example.org' },
    mail: { from: 'desk@masthead.example', perSecond: 14, perDay: null },
    targets: { allowHttp: true, allowRanges: ['loopback'] },
    // Low enough for `npm --prefix lab run attack` to reach it within a minute.
    publishing: { requestsPerCallerAndMinute: 1500 },
    allowedOrigins: ['http://localhost:3000'],
    // Each environment takes some 40 MB of this machine; five of them send 25 requests at a time.
    concurrency: { deliveries: 5, 'slow-deliveries': 5 },
  },
} as const satisfies Record<string, StageInput>;
