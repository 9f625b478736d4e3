/** How long a delivery can last, in the schedule of a stage and at its receiver. */

/** Jitter of 20 % in both directions keeps retries of one outage apart. */
export const scheduleJitter = 0.2;

/** The last automatic attempt starts in so many days of the event; receivers keep ids longer (docs/receiving.md). */
export const longestDeliveryDays = 7;
