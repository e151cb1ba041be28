/** Version under which forecasts are published and scored. Bump it whenever the published numbers change. */
export const MODEL_VERSION = 'pooled-members/5';
