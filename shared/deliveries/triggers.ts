/** What triggers a delivery. Apart from its resource, so that workers do not load the texts of the API document. */

export const triggers = ['event', 'redelivery', 'replay', 'ping'] as const;
export type Trigger = (typeof triggers)[number];
