/** The short names of a deployment's functions and queues. */
import type { Deployment } from './deployment.ts';

export interface Names {
  /** Path of each function, such as `webhooks/create`, by its physical name. */
  readonly functions: Readonly<Record<string, string>>;
  /** Each queue that a function reads, such as `deliveries`, by its physical name. */
  readonly queues: Readonly<Record<string, string>>;
}

/** Removes the stage's prefix. The description, such as `functions/webhooks/create.ts`, tells where slashes were. */
export const namesOf = ({ functions, eventSources }: Deployment, prefix: string): Names => ({
  functions: Object.fromEntries(
    functions.map(({ name, description }) => [name, pathOf(name.slice(prefix.length), description)]),
  ),
  queues: Object.fromEntries(eventSources.map(({ queueName }) => [queueName, queueName.slice(prefix.length)])),
});

const pathOf = (name: string, description: string): string => {
  const path = /^functions\/(.+)\.ts$/.exec(description)?.[1] ?? name;
  return path.replaceAll('/', '-') === name ? path : name;
};
