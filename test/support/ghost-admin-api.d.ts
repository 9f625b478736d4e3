/** The part of Ghost's official client that tests use; the package has no types. */
declare module '@tryghost/admin-api' {
  interface Options {
    readonly url: string;
    readonly key: string;
    readonly version: string | boolean;
  }

  interface Webhooks {
    add(webhook: object): Promise<Readonly<Record<string, unknown>> & { readonly id: string }>;
    edit(webhook: {
      readonly id: string;
      readonly [field: string]: unknown;
    }): Promise<Readonly<Record<string, unknown>>>;
    delete(webhook: { readonly id: string }): Promise<unknown>;
  }

  export default class GhostAdminApi {
    constructor(options: Options);
    readonly webhooks: Webhooks;
  }
}
