// Names of the record's forecasters, in words.

const FORECASTERS: Record<string, string> = {
  model: 'our model',
  market: 'market prices',
  'pace-poisson': 'straight pace, narrow',
  'pace-nb': 'straight pace',
  climatology: '90-day average',
  'rolling14-nb': '14-day pace',
  'seasonal-naive': 'a week before',
};

export function nameForecaster(name: string): string {
  return FORECASTERS[name] ?? name.replaceAll(/[_-]/g, ' ');
}
