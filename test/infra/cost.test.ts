/** The cost of an idle stage, added up from its template and compared with `docs/cost.md`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ofTable } from './stages.ts';
import { synthesized } from './synthesized.ts';

const deployed = ofTable.filter(({ name }) => name !== 'local');
const templates = synthesized();
const costs = readFileSync(join(import.meta.dirname, '../../docs/cost.md'), 'utf8');

const minutesAMonth = 30 * 24 * 60;
/** Pollers of an idle queue (AWS: five, or two where nothing caps the concurrency); each waits 20 seconds. */
const polls = (capped: boolean) => (capped ? 5 : 2) * 3 * minutesAMonth;
const usd = { request: 0.4e-6, alarm: 0.1, read: 0.125e-6 };
const free = { requests: 1_000_000, alarms: 10, dashboards: 3 };
/** Queries of one sweep; half a read unit each. */
const shards = 16;

/** Resource types with a price per month, used or not. */
const billedByTheHour =
  /^(EC2::|RDS|ElastiCache|WAFv2::WebACL|KMS::Key|SecretsManager::|Kinesis|Route53::HostedZone|ElasticLoadBalancing|Cognito|Synthetics)/;

describe.each(deployed)('the stage $name', ({ name }) => {
  const count = (type: string) => templates.of(name, type, v.unknown()).length;

  it('costs less than a dollar a month while idle, and its alarms, as documented', () => {
    const mapping = v.looseObject({ ScalingConfig: v.optional(v.unknown()) });
    const requests = templates
      .of(name, 'Lambda::EventSourceMapping', mapping)
      .reduce((sum, { properties }) => sum + polls(properties.ScalingConfig !== undefined), 0);
    const runs = templates
      .of(name, 'Events::Rule', v.looseObject({ ScheduleExpression: v.optional(v.string()) }))
      .flatMap(({ properties }) => /rate\((\d+)/.exec(properties.ScheduleExpression ?? '')?.[1] ?? [])
      .reduce((sum, minutes) => sum + minutesAMonth / Number(minutes), 0);
    expect(runs).toBeGreaterThan(0);
    expect(count('CloudWatch::Dashboard')).toBeLessThanOrEqual(free.dashboards);

    const idle = Math.max(0, requests - free.requests) * usd.request + runs * shards * 0.5 * usd.read;
    expect(idle).toBeLessThan(1);
    const rest = idle + Math.max(0, count('CloudWatch::Alarm') - free.alarms) * usd.alarm;

    const [, dev, prod] = /\*\*all\*\*.*\*\*([\d.]+)\*\* \| \*\*([\d.]+)\*\* \|$/m.exec(costs) ?? [];
    expect(Number(name === 'dev' ? dev : prod)).toBeCloseTo(rest, 2);
  });

  it('has no resource that is billed by the hour', () => {
    expect(templates.all(name).filter(({ type }) => billedByTheHour.test(type))).toEqual([]);
    expect(JSON.stringify(templates.all(name))).not.toContain('ProvisionedConcurrency');
  });
});
