/**
 * Makes bundles read AWS credentials from the environment only, where Lambda writes those of the function's role. The SDK's own chain brings
 * clients for single sign-on, STS and instance metadata, which no function calls: a fifth of each bundle, loaded at every cold start.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html, "Defined runtime environment variables"
 */
import type { Plugin } from 'esbuild';

export const credentialsOfEnvironment: Plugin = {
  name: 'credentials of the environment',
  setup({ onLoad }) {
    onLoad({ filter: /\/@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/ }, () => ({
      contents: "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
    }));
  },
};
