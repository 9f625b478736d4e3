/**
 * Makes bundles read AWS credentials from the environment only, where Lambda puts the credentials of the function's role. The SDK's own chain brings
 * clients for single sign-on, STS and instance metadata, which no function calls: a third of each bundle, loaded at every cold start.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html, "Defined runtime environment variables"
 */
import type { Plugin } from 'esbuild';

/** Read once, as the SDK's chain does; they stay the same for the life of an environment. */
const provider = `import { fromEnv } from '@aws-sdk/credential-provider-env';
export const defaultProvider = (options) => {
  let read;
  return () => (read ??= fromEnv(options)());
};`;

export const credentialsOfEnvironment: Plugin = {
  name: 'credentials of the environment',
  setup({ onLoad }) {
    onLoad({ filter: /\/@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/ }, () => ({
      contents: provider,
    }));
  },
};
