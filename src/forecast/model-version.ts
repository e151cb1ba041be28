/** Version under which forecasts are published and scored. Raise it whenever the published numbers change. */
export const MODEL_VERSION = 'pooled-members/5';
