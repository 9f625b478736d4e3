/** Checks which alarms are active, and whether they would be mailed. */
import { type CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { ListSubscriptionsByTopicCommand, type SNSClient } from '@aws-sdk/client-sns';
import { topicOf } from '../../cdk/alarm-topics.ts';
import { physicalName } from '../../cdk/names.ts';
import { type Examined, type Found, passed, skipped, stops, warning } from './finding.ts';

/** The alarms that roll back a canary. While one is active, CodeDeploy refuses a deployment. */
const rollback = ['faults', 'api-errors'];

export const checkAlarms = async (client: CloudWatchClient, { config, stacks }: Examined): Promise<Found[]> => {
  if (!config.features.alarms) return [skipped('features.alarms is off.')];
  if (!stacks.has('observability')) return [skipped('The stack observability is not deployed.')];
  const { MetricAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({ AlarmNamePrefix: physicalName(config, ''), StateValue: 'ALARM' }),
  );
  if (MetricAlarms.length === 0) return [passed('No alarm is active.')];
  return MetricAlarms.map(({ AlarmName = '', AlarmDescription = '', StateReason = '' }) => {
    const text = `${AlarmName} is active: ${StateReason}`;
    const runbook = AlarmDescription.replace(/^What to do: /, '');
    const isRollback = config.features.canary && rollback.some((name) => AlarmName === physicalName(config, name));
    return isRollback
      ? stops(
          `${text} CodeDeploy refuses deployments.`,
          `${runbook}; to deploy the correction: npm run cdk -- deploy '${config.name}/*' -c ignoreAlarms=true`,
        )
      : warning(text, runbook);
  });
};

export const checkSubscriptions = async (
  client: SNSClient,
  { config, account, region, stacks }: Examined,
): Promise<Found[]> => {
  const { features, alarmTargets, name } = config;
  if (!features.alarms) return [skipped('features.alarms is off.')];
  if (alarmTargets.length === 0) return [warning('Nobody is told of alarms.', `set alarmTargets for ${name}`)];
  if (!stacks.has('observability')) return [skipped('The stack observability is not deployed.')];
  const emails = alarmTargets.flatMap((target) => ('email' in target ? [target.email] : []));
  const [email] = emails;
  if (email === undefined) return [passed(`Alarms go to ${alarmTargets.length} topics of the account.`)];
  const hasNotices = alarmTargets.some((target) => 'email' in target && target.severities === 'all');
  const topics = [topicOf.urgent, ...(hasNotices ? [topicOf.notice] : [])];
  return Promise.all(
    topics.map((topic) =>
      checkTopic(client, `arn:aws:sns:${region}:${account}:${physicalName(config, topic)}`, topic, email),
    ),
  );
};

/** Checks who gets the alarms of one topic. Each address confirms each topic by a link of its own. */
const checkTopic = async (client: SNSClient, TopicArn: string, topic: string, email: string): Promise<Found> => {
  const { Subscriptions = [] } = await client.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  const confirmed = Subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn !== 'PendingConfirmation');
  const open = Subscriptions.filter((one) => !confirmed.includes(one)).map(({ Endpoint }) => Endpoint);
  const again = `aws sns subscribe --topic-arn ${TopicArn} --protocol email --notification-endpoint ${email}`;
  if (open.length > 0)
    return warning(
      `${open.join(', ')} has not confirmed the topic ${topic}: none of its alarms is mailed there.`,
      `open the link in the mail from SNS; for a new mail: ${again}`,
    );
  if (confirmed.length === 0) return warning(`${TopicArn} has no subscription.`, again);
  return passed(`${confirmed.map(({ Endpoint }) => Endpoint).join(', ')} gets the alarms of the topic ${topic}.`);
};
