/** What an operator must still set in `stages.ts` before a stage can be deployed. */
import type { StageConfig } from './stage.ts';

/** Names that RFC 2606 reserves for examples, and the repository of the examples. */
const isPlaceholder = (value: string): boolean =>
  /(^|[/@.])example\.(org|com|net)\b|\.example\b|(^|\/)example\//.test(value);

/** Returns one sentence for each setting that is missing or a placeholder. */
export const unsetSettings = (config: StageConfig): string[] => {
  const { publication, mail, allowedOrigins } = config.settings;
  const texts: Readonly<Record<string, string | undefined>> = {
    'publication.url': publication.url,
    'mail.from': mail.from,
    ...Object.fromEntries(allowedOrigins.map((origin, index) => [`allowedOrigins.${index}`, origin])),
    ...Object.fromEntries(
      config.alarmTargets.map((target, index) => [
        `alarmTargets.${index}`,
        'email' in target ? target.email : undefined,
      ]),
    ),
    runbookUrl: config.runbookUrl,
    'domain.name': config.domain?.name,
    'pipeline.repository': config.pipeline?.repository,
  };
  return [
    ...(config.account ? [] : ['account is missing: set the id of its AWS account.']),
    ...(config.features.accessLogs && config.apiLogsRole === undefined
      ? [
          "apiLogsRole is missing: 'existing' if `aws apigateway get-account --query cloudwatchRoleArn` prints a " +
            "role, 'create' if it prints null.",
        ]
      : []),
    ...Object.entries(texts).flatMap(([field, value]) =>
      value !== undefined && isPlaceholder(value) ? [`${field} is ${JSON.stringify(value)}: set your own.`] : [],
    ),
  ];
};
