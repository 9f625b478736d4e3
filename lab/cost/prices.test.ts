/** `npm --prefix lab run cost` calculates the cost of an idle stage from the contract; the template agrees. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ofTable } from '../../test/infra/stages.ts';
import { synthesized } from '../../test/infra/synthesized.ts';
import { costOf, priceList } from './price.ts';
import { minutesAMonth, restRows } from './rest.ts';

const deployed = ofTable.filter(({ name }) => name !== 'local');
const templates = synthesized();
const prices = priceList();

/** Requests of an idle queue's pollers (AWS: five, or two without a concurrency cap); each waits 20 seconds. */
const polls = (capped: boolean) => (capped ? 5 : 2) * 3 * minutesAMonth;
const free = { requests: 1_000_000, alarms: 10, dashboards: 3 };
/** The queries of one sweep; each one costs half a read unit. */
const shards = 16;

/** Resource types that cost money every month, even if nobody uses them. */
const billedByTheHour =
  /^(EC2::|RDS|ElastiCache|WAFv2::WebACL|SecretsManager::|Kinesis|Route53::HostedZone|ElasticLoadBalancing|Cognito|Synthetics)/;

describe.each(deployed)('the stage $name', (config) => {
  const { name } = config;
  const count = (type: string) => templates.of(name, type, v.unknown()).length;

  it('costs less than a dollar a month while idle, plus its alarms and keys, as calculated', () => {
    const mapping = v.looseObject({ ScalingConfig: v.optional(v.unknown()) });
    // The sweep counts the messages of each dead-letter queue every five minutes.
    const counts = (templates.of(name, 'SQS::Queue', v.unknown()).length / 2) * (minutesAMonth / 5);
    const requests = templates
      .of(name, 'Lambda::EventSourceMapping', mapping)
      .reduce((sum, { properties }) => sum + polls(properties.ScalingConfig !== undefined), counts);
    const runs = templates
      .of(name, 'Events::Rule', v.looseObject({ ScheduleExpression: v.optional(v.string()) }))
      .flatMap(({ properties }) => /rate\((\d+)/.exec(properties.ScheduleExpression ?? '')?.[1] ?? [])
      .reduce((sum, minutes) => sum + minutesAMonth / Number(minutes), 0);
    expect(runs).toBeGreaterThan(0);
    expect(count('CloudWatch::Dashboard')).toBeLessThanOrEqual(free.dashboards);

    const idle =
      costOf(prices, 'queueRequests', Math.max(0, requests - free.requests)) +
      costOf(prices, 'tableReads', (runs * shards) / 2);
    expect(idle).toBeLessThan(1);
    const alarm = v.looseObject({
      Metrics: v.optional(v.array(v.looseObject({ MetricStat: v.optional(v.unknown()) }))),
    });
    // AWS bills an alarm by its metrics; an alarm on a single metric has no list of metrics.
    const watched = templates
      .of(name, 'CloudWatch::Alarm', alarm)
      .reduce((sum, { properties: { Metrics } }) => sum + (Metrics?.filter((one) => one.MetricStat).length ?? 1), 0);
    const rest =
      idle + costOf(prices, 'alarms', Math.max(0, watched - free.alarms)) + costOf(prices, 'keys', count('KMS::Key'));
    const calculated = restRows(prices, config).reduce((sum, { afterFree }) => sum + afterFree, 0);
    expect(calculated).toBeCloseTo(rest, 6);
    // What an operator accepts for a stage that waits for its first event, key and alarms included.
    expect(calculated).toBeLessThanOrEqual(2.8);
  });

  it('has no resource that is billed by the hour, except its key', () => {
    expect(templates.all(name).filter(({ type }) => billedByTheHour.test(type))).toEqual([]);
    expect(JSON.stringify(templates.all(name))).not.toContain('ProvisionedConcurrency');
  });
});
