/** Tools for an operator on call: alarms with a runbook, a dashboard, saved queries, and deployments that roll back. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { groupOf } from '../../infra/cdk/function-groups.ts';
import { Masthead } from '../../infra/cdk/masthead.ts';
import { tableIndexes } from '../../shared/contract.ts';
import { accountId, arn, readTemplates } from './resolved.ts';
import { allows, policyDocument } from './resource-policy.ts';
import { emptyBundles, everything, ofTable } from './stages.ts';
import { functionName, lines, synthesized } from './synthesized.ts';

const configs = [...ofTable, everything];
const templates = synthesized();
const root = join(import.meta.dirname, '../..');
const runbook = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const counted = [
  ...(/type Metric =([^;]*);/.exec(readFileSync(join(root, 'shared/aws/metrics.ts'), 'utf8'))?.[1] ?? '').matchAll(
    /'(\w+)'/g,
  ),
].map(([, name = '']) => name);

const alarm = v.looseObject({
  AlarmName: v.string(),
  AlarmDescription: v.string(),
  AlarmActions: v.array(v.string()),
  TreatMissingData: v.string(),
});
const dashboard = v.looseObject({ DashboardBody: v.string() });

describe.each(configs)('the stage $name', (config) => {
  const stage = config.name;
  const of = <Schema extends v.GenericSchema>(type: string, schema: Schema) => templates.of(stage, type, schema);
  const alarms = () => of('CloudWatch::Alarm', alarm).map(({ properties }) => properties);

  it(`has ${config.features.alarms ? 'alarms' : 'no alarms'}, each with a section in the runbook`, () => {
    expect(alarms().length > 0).toBe(config.features.alarms);
    for (const { AlarmDescription, AlarmActions } of alarms()) {
      const [, url, anchor] = /^What to do: (.+)#([a-z-]+)(?: Then: .+)?$/.exec(AlarmDescription) ?? [];
      expect(url).toBe(config.runbookUrl);
      const heading = `### ${anchor?.replaceAll('-', ' ')}`;
      expect(runbook.toLowerCase().split('\n')).toContain(heading);
      const isUrgent = AlarmActions.some((action) => action.startsWith('AlarmsTopic'));
      const topics = config.alarmTargets.flatMap((target) =>
        'topicArn' in target && (isUrgent || target.severities === 'all') ? [target.topicArn] : [],
      );
      expect(AlarmActions).toEqual([expect.stringMatching(isUrgent ? /^AlarmsTopic/ : /^AlarmsNotices/), ...topics]);
    }
  });

  it('counts the faults and long invocations of every function if it has alarms on them', () => {
    const filter = v.looseObject({
      FilterPattern: v.string(),
      MetricTransformations: v.array(
        v.looseObject({ MetricName: v.string(), MetricNamespace: v.literal(`Masthead/${stage}`) }),
      ),
    });
    const filters = of('Logs::MetricFilter', filter);
    const groups = [...new Set(lines.map(groupOf))];
    const ofGateway = config.features.relays && config.features.accessLogs ? 1 : 0;
    expect(filters).toHaveLength(config.features.alarms ? 2 * groups.length + ofGateway : 0);
    if (!config.features.alarms) return;
    const patternsOf = (metric: string) =>
      filters.flatMap(({ properties: { FilterPattern, MetricTransformations } }) =>
        MetricTransformations.some(({ MetricName }) => MetricName === metric) ? [FilterPattern] : [],
      );
    expect(patternsOf('RelayLost')).toEqual(
      ofGateway === 1 ? ['{ ($.resource = "*/inbound/ghost/*") && ($.gateway_error != "-") }'] : [],
    );
    const report = '($.type = "platform.report")';
    expect(patternsOf('Faults')).toEqual(
      groups.map(() => `{ ($.level = "ERROR") || (${report} && ($.record.status != "success")) }`),
    );
    expect(patternsOf('NearTimeout')).toEqual(
      groups.map(() => `{ ($.message = "near timeout") || (${report} && ($.record.status = "timeout")) }`),
    );
  });

  it('mails its alarms to the configured addresses', () => {
    const subscription = v.looseObject({ Endpoint: v.string(), TopicArn: v.string() });
    const mailed = of('SNS::Subscription', subscription).map(
      ({ properties }) =>
        `${properties.Endpoint} ${properties.TopicArn.startsWith('AlarmsNotices') ? 'notice' : 'urgent'}`,
    );
    const expected = config.alarmTargets.flatMap((target) =>
      'email' in target
        ? (target.severities === 'all' ? ['urgent', 'notice'] : ['urgent']).map((one) => `${target.email} ${one}`)
        : [],
    );
    expect(mailed.sort()).toEqual(config.features.alarms ? expected.sort() : []);
  });

  it('watches only its own metrics, not those of the whole account', () => {
    const metric = v.looseObject({
      Namespace: v.optional(v.string()),
      Dimensions: v.optional(v.array(v.looseObject({ Value: v.string() })), []),
    });
    const watched = v.looseObject({
      AlarmName: v.string(),
      Namespace: v.optional(v.string()),
      Dimensions: v.optional(v.array(v.looseObject({ Value: v.string() })), []),
      Metrics: v.optional(v.array(v.looseObject({ MetricStat: v.optional(v.object({ Metric: metric })) })), []),
    });
    const found = of('CloudWatch::Alarm', watched);
    expect(found.length > 0).toBe(config.features.alarms);
    for (const { properties } of found) {
      const single = properties.Metrics.length === 0 ? [properties] : [];
      const metrics = [...single, ...properties.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])];
      expect(metrics.length, properties.AlarmName).toBeGreaterThan(0);
      // CloudWatch: an alarm on an expression takes at most ten metrics.
      expect(metrics.length, properties.AlarmName).toBeLessThanOrEqual(10);
      for (const { Namespace, Dimensions } of metrics)
        expect([Namespace, ...Dimensions.map(({ Value }) => Value)].join(), properties.AlarmName).toMatch(
          new RegExp(`[Mm]asthead[-/]${stage}`),
        );
    }
  });

  it('has an alarm for a schedule that has stopped, which stays silent during the first deployment', () => {
    const silent = v.looseObject({
      AlarmName: v.string(),
      TreatMissingData: v.string(),
      InsufficientDataActions: v.optional(v.array(v.string()), []),
    });
    const found = of('CloudWatch::Alarm', silent).filter(({ properties }) =>
      properties.AlarmName.endsWith('-due-sweep'),
    );
    expect(found).toHaveLength(config.features.alarms ? 1 : 0);
    for (const { properties } of found) {
      expect(properties.TreatMissingData).toBe('missing');
      expect(properties.InsufficientDataActions).not.toEqual([]);
    }
    // Nothing else goes off before there is data.
    for (const { TreatMissingData } of alarms()) expect(TreatMissingData).not.toBe('breaching');
  });

  it('has an alarm for dead letters that names the command to move them back', () => {
    const dead = alarms().filter(({ AlarmName }) => AlarmName.endsWith('-dead-letters'));
    expect(dead).toHaveLength(config.features.alarms ? 1 : 0);
    for (const { AlarmDescription } of dead)
      expect(AlarmDescription).toContain(` Then: npm run ops -- redrive --stage ${stage}`);
  });

  it('creates at most two metric filters at a time, because CloudWatch Logs limits these calls', () => {
    const filters = templates.all(stage).filter(({ type }) => type === 'Logs::MetricFilter');
    const ids = new Set(filters.map(({ id }) => id));
    const before = filters.map(({ dependsOn }) => dependsOn.filter((id) => ids.has(id)));
    expect(before.filter((awaited) => awaited.length === 0).length).toBeLessThanOrEqual(2);
    expect(new Set(before.flat()).size).toBe(before.flat().length);
  });

  it(`has ${config.features.dashboard ? 'a dashboard with every metric of the functions' : 'no dashboard'}`, () => {
    const [board] = of('CloudWatch::Dashboard', dashboard);
    expect(board !== undefined).toBe(config.features.dashboard);
    if (!board) return;
    const drawn = JSON.parse(board.properties.DashboardBody) as unknown;
    const own = [...JSON.stringify(drawn).matchAll(/\["Masthead","(\w+)","service","([\w-]+)"/g)];
    expect(counted.length).toBeGreaterThan(5);
    expect([...new Set(own.map(([, name]) => name))].sort()).toEqual([...counted].sort());
    expect([...new Set(own.map(([, , service]) => service))]).toEqual([`masthead-${stage}`]);
  });

  it('draws how often the table and each index throttled, as ThrottledRequests needs an operation', () => {
    const [board] = of('CloudWatch::Dashboard', dashboard);
    expect(board !== undefined).toBe(config.features.dashboard);
    if (!board) return;
    const drawn = board.properties.DashboardBody;
    expect(drawn).not.toContain('"ThrottledRequests"');
    for (const metric of ['ReadThrottleEvents', 'WriteThrottleEvents'])
      for (const dimensions of [
        `"TableName","masthead-${stage}"`,
        ...tableIndexes.map((index) => `"GlobalSecondaryIndexName","${index}","TableName","masthead-${stage}"`),
      ])
        expect(drawn).toContain(`["AWS/DynamoDB","${metric}",${dimensions}`);
  });

  it(`${config.features.canary ? 'shifts' : 'does not shift'} traffic to a new version step by step`, () => {
    const group = v.looseObject({
      DeploymentConfigName: v.string(),
      AlarmConfiguration: v.object({ Enabled: v.literal(true), Alarms: v.array(v.object({ Name: v.string() })) }),
      AutoRollbackConfiguration: v.object({ Enabled: v.literal(true), Events: v.array(v.string()) }),
    });
    const groups = of('CodeDeploy::DeploymentGroup', group).map(({ properties }) => properties);
    const shifted = lines.filter(({ canary }) => canary);
    expect(shifted.map((line) => line.function)).toContain('deliveries/deliver');
    // Each is a deployment of CodeDeploy, and all start at once.
    expect(shifted.length).toBeLessThanOrEqual(10);
    expect(groups).toHaveLength(config.features.canary ? shifted.length : 0);
    const known = alarms().map(({ AlarmName }) => AlarmName);
    for (const { DeploymentConfigName, AlarmConfiguration, AutoRollbackConfiguration } of groups) {
      expect(DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      expect(AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
      expect(AlarmConfiguration.Alarms.length).toBeGreaterThan(0);
      for (const { Name } of AlarmConfiguration.Alarms) expect(known).toContain(Name);
    }
  });
});

const metricStat = v.object({
  MetricStat: v.optional(
    v.object({
      Metric: v.looseObject({
        MetricName: v.string(),
        Dimensions: v.optional(v.array(v.object({ Name: v.string(), Value: v.string() })), []),
      }),
    }),
  ),
  Expression: v.optional(v.string()),
});

describe.each(configs.filter(({ features }) => features.alarms))(
  'the alarms of the stage $name',
  ({ name: stage, features }) => {
    const alarms = () => templates.of(stage, 'CloudWatch::Alarm', alarm).map(({ properties }) => properties);

    it('see throttling by the table and by its index, whose metrics have no other dimension', () => {
      const [found] = templates
        .of(
          stage,
          'CloudWatch::Alarm',
          v.looseObject({ AlarmName: v.string(), Metrics: v.optional(v.array(metricStat)) }),
        )
        .filter(({ properties }) => properties.AlarmName === `masthead-${stage}-table-throttles`);
      const watched = (found?.properties.Metrics ?? []).flatMap(({ MetricStat }) =>
        MetricStat === undefined
          ? []
          : [
              `${MetricStat.Metric.MetricName} ${MetricStat.Metric.Dimensions.map(({ Value }) => Value)
                .sort()
                .join(' ')}`,
            ],
      );
      expect(watched.sort()).toEqual([
        `ReadThrottleEvents masthead-${stage}`,
        `WriteThrottleEvents due masthead-${stage}`,
        `WriteThrottleEvents masthead-${stage}`,
      ]);
    });

    it('do not page for two failed requests at night', () => {
      const [found] = templates
        .of(
          stage,
          'CloudWatch::Alarm',
          v.looseObject({ AlarmName: v.string(), Metrics: v.optional(v.array(metricStat)) }),
        )
        .filter(({ properties }) => properties.AlarmName === `masthead-${stage}-api-errors`);
      expect(found?.properties.Metrics?.map(({ Expression }) => Expression)).toContain(
        'IF(errors >= 5, errors / requests, 0)',
      );
    });

    it('are joined by a notification when SES has stopped the account', () => {
      const rule = v.looseObject({
        EventPattern: v.optional(v.looseObject({ 'detail-type': v.optional(v.array(v.string())) })),
        Targets: v.array(
          v.looseObject({ Arn: v.string(), InputTransformer: v.optional(v.unknown()), Input: v.optional(v.string()) }),
        ),
      });
      const [found] = templates
        .of(stage, 'Events::Rule', rule)
        .filter(({ properties }) => properties.EventPattern?.['detail-type']?.includes('Sending Status Disabled'));
      expect(found?.properties.Targets.map(({ Arn }) => Arn)[0]).toMatch(/^AlarmsTopic/);
      expect(JSON.stringify(found?.properties.Targets)).toContain('#ses-is-paused');
      expect(runbook).toContain('### SES is paused');
    });

    it('watch what an operator must know, each from a threshold on in the unit of its metric', () => {
      const watched = v.looseObject({
        AlarmName: v.string(),
        Threshold: v.number(),
        MetricName: v.optional(v.string()),
        Metrics: v.optional(v.array(metricStat), []),
      });
      const found = templates.of(stage, 'CloudWatch::Alarm', watched).map(({ properties }) => {
        const { AlarmName, Threshold, MetricName, Metrics } = properties;
        const names = Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? []);
        return [AlarmName.replace(`masthead-${stage}-`, ''), [MetricName ?? [...new Set(names)].join(' '), Threshold]];
      });
      const schedules = lines.filter((line) => line.kind === 'schedule').map((line) => line.function.replace('/', '-'));
      expect(Object.fromEntries(found)).toEqual({
        ...Object.fromEntries(schedules.map((name) => [name, ['Errors', 1]])),
        'oldest-events': ['ApproximateAgeOfOldestMessage', 300],
        'oldest-deliveries': ['ApproximateAgeOfOldestMessage', 1800],
        'oldest-mail': ['ApproximateAgeOfOldestMessage', 3600],
        'oldest-due': ['OldestDue', 600_000],
        'late-deliveries': ['LateDelivery', 1_800_000],
        'late-mail': ['LateMail', 3_600_000],
        faults: ['Faults', 1],
        'api-errors': ['5XXError Count', 0.02],
        'near-timeout': ['NearTimeout', 5],
        throttles: ['Throttles', 1],
        'table-throttles': ['ReadThrottleEvents WriteThrottleEvents', 10],
        'dead-letters': ['DeadLetters', 1],
        bounces: ['Reputation.BounceRate', 0.04],
        complaints: ['Reputation.ComplaintRate', 0.0008],
        // Only a stage with Ghost sites; the second one is counted in access logs.
        ...(features.relays && { 'relay-silent': ['RelaysSilent', 1], 'relay-lost': ['RelayLost', 1] }),
      });
    });

    it.each([
      ['oldest-due', 2, 3],
      // What waits is tried again, and measured, every 15 minutes.
      ['late-deliveries', 1, 4],
      ['late-mail', 1, 4],
    ])('go off for %s at the highest value, which this stage has measured', (name, bad, periods) => {
      const found = alarms().find(({ AlarmName }) => AlarmName === `masthead-${stage}-${name}`);
      const Dimensions = [{ Name: 'service', Value: `masthead-${stage}` }];
      expect(found).toMatchObject({
        DatapointsToAlarm: bad,
        EvaluationPeriods: periods,
        TreatMissingData: 'notBreaching',
        Metrics: [{ MetricStat: { Metric: { Namespace: 'Masthead', Dimensions }, Period: 300, Stat: 'Maximum' } }],
      });
    });

    describe('may be published to the topic', () => {
      const topicPolicy = v.looseObject({ Topics: v.array(v.string()), PolicyDocument: policyDocument });
      const topic = v.looseObject({ TopicName: v.string() });
      const isAllowed = (alarmArn: string, sourceAccount: string, secureTransport = 'true') => {
        const [found] = templates.of(stage, 'SNS::Topic', topic);
        const [policy] = templates
          .of(stage, 'SNS::TopicPolicy', topicPolicy)
          .filter(({ properties }) => properties.Topics.includes(found?.id ?? ''));
        return (
          policy !== undefined &&
          allows(policy.properties.PolicyDocument, {
            service: 'cloudwatch.amazonaws.com',
            action: 'sns:Publish',
            resource: found?.id ?? '',
            context: {
              'aws:SecureTransport': secureTransport,
              'aws:SourceAccount': sourceAccount,
              'aws:SourceArn': alarmArn,
            },
          })
        );
      };

      it('by each alarm of the stage', () => {
        const refused = alarms().filter(
          ({ AlarmName }) => !isAllowed(arn('cloudwatch', `alarm:${AlarmName}`), accountId),
        );
        expect(refused.map(({ AlarmName }) => AlarmName)).toEqual([]);
      });

      it('but not by alarms of another account, and not without TLS', () => {
        const [{ AlarmName } = { AlarmName: '' }] = alarms();
        const own = arn('cloudwatch', `alarm:${AlarmName}`);
        expect(isAllowed(own, accountId)).toBe(true);
        expect(isAllowed(own.replace(accountId, '222222222222'), '222222222222')).toBe(false);
        expect(isAllowed(own, accountId, 'false')).toBe(false);
      });
    });

    it('watch every schedule', () => {
      for (const line of lines.filter(({ kind }) => kind === 'schedule'))
        expect(alarms().map(({ AlarmName }) => AlarmName)).toContain(functionName(stage, line));
    });
  },
);

describe.each(configs)('a bad version in the stage $name', ({ name: stage }) => {
  it('can be left within a minute, because the versions before it stay', () => {
    const versions = templates.all(stage).filter(({ type }) => type === 'Lambda::Version');
    const aliased = lines.filter(({ canary }) => canary);
    expect(versions).toHaveLength(aliased.length);
    // A version whose creation is rolled back goes: it would block the next try, whose code is the same.
    for (const { deletionPolicy, updateReplacePolicy } of versions)
      expect([deletionPolicy, updateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
    for (const line of aliased) expect(runbook).toContain(line.function.replace('/', '-'));
  });
});

it('no stage shifts traffic in steps by default: at an event an hour, a tenth of five minutes shows nothing', () => {
  expect(ofTable.filter(({ features }) => features.canary)).toEqual([]);
});

describe.each(configs.filter(({ features }) => features.canary))('the canary of the stage $name', ({ name: stage }) => {
  const of = <Schema extends v.GenericSchema>(type: string, schema: Schema) => templates.of(stage, type, schema);

  it('can go off within its five minutes', () => {
    const group = v.looseObject({ AlarmConfiguration: v.object({ Alarms: v.array(v.object({ Name: v.string() })) }) });
    const attached = new Set(
      of('CodeDeploy::DeploymentGroup', group).flatMap(({ properties }) =>
        properties.AlarmConfiguration.Alarms.map(({ Name }) => Name),
      ),
    );
    const stat = v.object({ MetricStat: v.optional(v.object({ Period: v.number() })) });
    const timed = v.looseObject({
      AlarmName: v.string(),
      Metrics: v.optional(v.array(stat)),
      Period: v.optional(v.number()),
      DatapointsToAlarm: v.number(),
    });
    const rollback = of('CloudWatch::Alarm', timed)
      .map(({ properties }) => properties)
      .filter(({ AlarmName }) => attached.has(AlarmName));
    expect(rollback.length).toBeGreaterThan(0);
    for (const { AlarmName, Metrics, Period, DatapointsToAlarm } of rollback) {
      const seconds = Period ?? Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? Number.NaN;
      // The metrics arrive up to two minutes late.
      expect(seconds * DatapointsToAlarm, AlarmName).toBeLessThanOrEqual(3 * 60);
    }
  });
});

describe('an emergency deployment (`-c ignoreAlarms=true`)', () => {
  const group = v.looseObject({
    DeploymentConfigName: v.string(),
    AlarmConfiguration: v.object({ Enabled: v.boolean() }),
    AutoRollbackConfiguration: v.object({ Events: v.array(v.string()) }),
  });
  const deploymentGroups = (ignoreAlarms: unknown) => {
    const app = new App({
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
      context: { ignoreAlarms },
    });
    const bundles = emptyBundles();
    try {
      new Masthead(app, 'everything', { ...everything.input, bundles });
      const { directory } = app.synth();
      return readTemplates(directory, 'everything')
        .filter(({ type }) => type === 'CodeDeploy::DeploymentGroup')
        .map(({ properties }) => v.parse(group, properties));
    } finally {
      bundles.remove();
      rmSync(app.outdir, { recursive: true, force: true });
    }
  };

  describe('of all functions', () => {
    let groups: ReturnType<typeof deploymentGroups>;
    beforeAll(() => {
      groups = deploymentGroups('true');
    });

    it('continues although alarms are already active', () => {
      expect(groups.length).toBeGreaterThan(0);
      for (const { AlarmConfiguration } of groups) expect(AlarmConfiguration.Enabled).toBe(false);
    });

    it('switches every function at once, because canaries in several stacks would add up to half an hour', () => {
      const names = groups.map(({ DeploymentConfigName }) => DeploymentConfigName);
      expect(new Set(names)).toEqual(new Set(['CodeDeployDefault.LambdaAllAtOnce']));
    });
  });

  it('is refused if ignoreAlarms is set to anything but `true`', () => {
    expect(() => deploymentGroups('yes')).toThrow('ignoreAlarms is "yes"; it must be true, or absent');
  });
});

describe.each(configs.filter(({ features }) => features.dashboard))(
  'the queries of the stage $name',
  ({ name: stage }) => {
    it('search the logs of all its functions', () => {
      const query = v.looseObject({ Name: v.string(), LogGroupNames: v.array(v.string()), QueryString: v.string() });
      const found = templates.of(stage, 'Logs::QueryDefinition', query);
      expect(found.map(({ properties }) => properties.Name)).toContain(`masthead-${stage}/story of an id`);
      // CloudWatch Logs refuses a query over a log group that does not exist yet.
      const logGroups = templates
        .of(stage, 'Logs::LogGroup', v.looseObject({ LogGroupName: v.string() }))
        .filter(({ properties }) => found[0]?.properties.LogGroupNames.includes(properties.LogGroupName))
        .map(({ id }) => id)
        .sort();
      expect(logGroups.length).toBeGreaterThan(1);
      for (const { properties, dependsOn } of found) {
        expect(properties.LogGroupNames.sort()).toEqual(
          [...new Set(lines.map((line) => `/masthead/${stage}/${groupOf(line)}`))].sort(),
        );
        expect(dependsOn.filter((id) => logGroups.includes(id)).sort()).toEqual(logGroups);
        // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartQuery.html
        expect(properties.LogGroupNames.length).toBeLessThanOrEqual(50);
      }
    });
  },
);
