/**
 * A request without a body, which starts a deployment at Netlify (https://docs.netlify.com/build/configure-builds/build-hooks/), Vercel
 * (https://vercel.com/docs/deploy-hooks) or Cloudflare Pages (https://developers.cloudflare.com/pages/configuration/deploy-hooks/).
 */
import type { Preset } from './preset.ts';

export const deployHook: Preset<Record<never, never>> = {
  settings: {},
  render: () => ({ headers: {}, credentials: {}, body: '' }),
};
