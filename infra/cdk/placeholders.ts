/** What an operator must still set in `stages.ts` before a stage can be deployed. */
import { Annotations, type App, Stack, type Stage } from 'aws-cdk-lib';
import type { StageConfig } from './stage.ts';

/** Names that RFC 2606 reserves for examples, and the repository of the examples. */
const isPlaceholder = (value: string): boolean =>
  /(^|[/@.])example\.(org|com|net)\b|\.example\b|(^|\/)example\//.test(value);

/** Returns one sentence for each setting that is missing or a placeholder. */
const unsetSettings = (config: StageConfig): string[] => {
  const { publication, mail, allowedOrigins } = config.settings;
  const texts: Readonly<Record<string, string | undefined>> = {
    'publication.url': publication.url,
    'mail.from': mail.from,
    ...Object.fromEntries(allowedOrigins.map((origin, index) => [`allowedOrigins.${index}`, origin])),
    alarmEmail: config.alarmEmail,
    runbookUrl: config.runbookUrl,
    'domain.name': config.domain?.name,
    'pipeline.repository': config.pipeline?.repository,
  };
  return [
    ...(config.account ? [] : ['account is missing: set the id of its AWS account.']),
    ...Object.entries(texts).flatMap(([field, value]) =>
      value !== undefined && isPlaceholder(value) ? [`${field} is ${JSON.stringify(value)}: set your own.`] : [],
    ),
  ];
};

/**
 * Marks every stack of a stage with placeholders with an error, at which `cdk deploy` stops before it calls AWS. The context
 * `placeholders=true`, with which `npm run synth` checks the templates of a fresh clone, omits the mark.
 */
export const refusePlaceholders = (app: App, stage: Stage, config: StageConfig): void => {
  const unset = unsetSettings(config);
  if (config.name === 'local' || unset.length === 0 || app.node.tryGetContext('placeholders') === 'true') return;
  const message = [`The stage ${config.name} cannot be deployed yet. Edit infra/cdk/stages.ts:`, ...unset].join('\n  ');
  for (const stack of stage.node.children) if (Stack.isStack(stack)) Annotations.of(stack).addError(message);
};
