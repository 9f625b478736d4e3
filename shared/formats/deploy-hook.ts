/**
 * A request without a body, which starts a deployment at Netlify, Vercel or Cloudflare Pages:
 * https://docs.netlify.com/build/configure-builds/build-hooks/, https://vercel.com/docs/deploy-hooks and
 * https://developers.cloudflare.com/pages/configuration/deploy-hooks/.
 */
import type { Preset } from './preset.ts';

export const deployHook: Preset<Record<never, never>> = {
  settings: {},
  render: () => ({ headers: {}, credentials: {}, body: '' }),
};
