/** The stack `observability`: logs, alarms, dashboard and queries. Deployed before the functions; outlives them. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { Alarms } from '../constructs/alarms.ts';
import { dashboard } from '../constructs/dashboard.ts';
import { countFaults, countLostAtGateway, stageLogGroup } from '../constructs/function-logs.ts';
import { saveQueries } from '../constructs/queries.ts';
import { functionGroups } from '../function-groups.ts';
import { physicalName } from '../names.ts';
import type { StageConfig } from '../stage.ts';

interface ObservabilityStackProps extends StackProps {
  readonly config: StageConfig;
  readonly key: IKey | undefined;
}

export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, { config, key, ...props }: ObservabilityStackProps) {
    super(scope, id, { ...props, stackName: physicalName(config, id), terminationProtection: config.retain });
    const { accessLogs, alarms, relays, dashboard: hasDashboard, waf } = config.features;
    const logs = functionGroups.map((group) => stageLogGroup(this, config, group, key));
    const access = accessLogs ? stageLogGroup(this, config, 'access', key) : undefined;
    const filters = alarms ? logs.flatMap((logGroup) => countFaults(logGroup, config)) : [];
    if (alarms && relays && access !== undefined) filters.push(countLostAtGateway(access, config));
    // Two at a time: CloudFormation would create all at once, beyond the rate of CloudWatch Logs for PutMetricFilter.
    // https://docs.aws.amazon.com/general/latest/gr/cwl_region.html
    for (const [index, filter] of filters.entries()) {
      const before = filters[index - 2];
      if (before) filter.node.addDependency(before);
    }
    if (waf) stageLogGroup(this, config, 'web-acl', key);
    const all = alarms ? new Alarms(this, 'Alarms', { config, key }).all : [];
    if (hasDashboard) {
      dashboard(this, config, all);
      saveQueries(this, config, logs);
    }
  }
}
