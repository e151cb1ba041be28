// The version under which forecasts are published and scored. Raise it when the published numbers change.

export const MODEL_VERSION = '1.0.0';
