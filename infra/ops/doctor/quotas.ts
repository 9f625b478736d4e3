/** What the account allows in this region, against what the stage is configured for. */
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { namesOf, togetherOf } from '../../cdk/shared-account.ts';
import { executionsOf } from '../../cdk/stage.ts';
import { type Examined, type Found, passed, stops, warning } from './finding.ts';

/** Concurrent executions: what the queues and schedules can take must leave a part to the API. */
export const checkConcurrency = async (
  client: LambdaClient,
  { config, sharing, region }: Examined,
): Promise<Found[]> => {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand());
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = quota } = AccountLimit ?? {};
  const { queues, schedules } = executionsOf(config);
  const { executions } = togetherOf(sharing);
  const request = (value: number) =>
    'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 ' +
    `--desired-value ${value} --region ${region}`;
  if (quota < config.accountConcurrency)
    return [
      stops(
        `The account has ${quota} concurrent executions, accountConcurrency of ${config.name} is ` +
          `${config.accountConcurrency}; its queues can take ${queues} and its schedules ${schedules}.`,
        `${request(config.accountConcurrency)}, or set accountConcurrency: ${quota} and lower concurrency`,
      ),
    ];
  const left = unreserved - executions;
  if (left <= 0)
    return [
      stops(
        `Of ${quota} concurrent executions other functions reserve ${quota - unreserved}; ` +
          `the queues and schedules of ${namesOf(sharing)} can take ${executions}, which leaves none to the API.`,
        request(quota + 1 - left),
      ),
    ];
  return [
    passed(
      `${unreserved} concurrent executions; queues and schedules of ${namesOf(sharing)} can take ${executions}, ` +
        `${left} remain for the API.`,
    ),
  ];
};

export const gatewayAccount = v.object({
  throttleSettings: v.object({ rateLimit: v.number(), burstLimit: v.number() }),
  cloudwatchRoleArn: v.nullish(v.string()),
});

/** Requests per second that API Gateway allows all APIs of the account in this region. */
export const checkApiThrottle = (answer: unknown, { config, region, stacks }: Examined): Found[] => {
  const { throttleSettings, cloudwatchRoleArn } = v.parse(gatewayAccount, answer);
  const limits = [
    { setting: 'throttleWithoutKey', ...config.throttleWithoutKey },
    ...(config.throttle === undefined ? [] : [{ setting: 'throttle', ...config.throttle }]),
    ...Object.values(config.throttleOf).map((limit) => ({ setting: 'throttleOf', ...limit })),
  ];
  const rate = Math.max(...limits.map(({ ratePerSecond }) => ratePerSecond));
  const burst = Math.max(...limits.map((one) => one.burst));
  const highest = limits.find(({ ratePerSecond }) => ratePerSecond === rate)?.setting ?? 'throttle';
  const allowed = `${throttleSettings.rateLimit} requests a second and a burst of ${throttleSettings.burstLimit}`;
  const isEnough = rate <= throttleSettings.rateLimit && burst <= throttleSettings.burstLimit;
  const found = [
    isEnough
      ? passed(`The account allows ${allowed}; one method of the stage allows ${rate} and ${burst}.`)
      : warning(
          `One method of the stage allows ${rate} requests a second and a burst of ${burst}, the whole account ` +
            `${allowed}.`,
          `lower ${highest} of ${config.name}, or request it: ` +
            `https://${region}.console.aws.amazon.com/servicequotas/home/services/apigateway/quotas`,
        ),
  ];
  const replacesRole = config.features.accessLogs && config.apiLogsRole === 'create' && !stacks.has('api');
  if (replacesRole && cloudwatchRoleArn)
    found.push(
      warning(
        `API Gateway writes logs of this account as ${cloudwatchRoleArn}; a deployment would replace it.`,
        `set apiLogsRole: 'existing' for ${config.name}`,
      ),
    );
  if (config.features.accessLogs && config.apiLogsRole !== 'create' && !cloudwatchRoleArn)
    found.push(
      stops(
        'API Gateway has no role for the logs of this account, and refuses a stage with access logs.',
        `set apiLogsRole: 'create' for ${config.name}`,
      ),
    );
  if (config.features.accessLogs && config.apiLogsRole === undefined && cloudwatchRoleArn)
    found.push(
      stops(
        `API Gateway writes logs of this account as ${cloudwatchRoleArn}.`,
        `set apiLogsRole: 'existing' for ${config.name}`,
      ),
    );
  return found;
};
