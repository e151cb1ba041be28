/** What forecasts are published and scored under. Raise it whenever the published numbers change. */
export const MODEL_VERSION = 'pooled-members/4';
