// Display names of the forecasters on the record page.

const FORECASTERS: Record<string, string> = {
  model: 'our model',
  market: 'market prices',
  'pace-poisson': 'linear pace, narrow',
  'pace-nb': 'linear pace',
  climatology: '90-day average',
  'rolling14-nb': '14-day pace',
  'seasonal-naive': 'same as last week',
  core: 'member: fitted state',
  reverting: 'member: reverting',
  session: 'member: last hours',
  memories: 'member: own regression',
  fixed: 'member: shared state',
  calm: 'member: three-month rate',
};

export function nameForecaster(name: string): string {
  return FORECASTERS[name] ?? name.replaceAll(/[_-]/g, ' ');
}
