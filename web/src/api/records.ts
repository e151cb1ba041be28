// API response types under the dashboard's own names, all taken from the client package.

import type {
  CalibrationRecord,
  Feeds,
  HourlyRecord,
  PerformanceLedger,
  PerformanceOverview,
  PredictionMarket,
  Schemas,
  ServiceConfig,
  Signal,
  SignalsRecord,
  SnapshotMessage,
  Strategy,
} from '../../../packages/client-js/src/index.ts';

export type {
  CalibrationRecord,
  CountersRecord,
  FeedAge,
  FeedMessage,
  Feeds,
  HourlyRecord,
  LedgerEntry,
  PortfolioRecord,
  PostRecord,
  PredictionRecord,
  PriceMessage,
  SettlementMessage,
  SnapshotMessage,
} from '../../../packages/client-js/src/index.ts';

export { describeTerms, nameSettlement, nameVenue } from '../../../packages/client-js/src/terms.ts';

export type Tier = SnapshotMessage['tier'] | 'INTERNAL';
export type CountFeedName = keyof Feeds;
export type BucketRecord = PredictionMarket;
export type SignalRecord = Signal;
export type AdviceRecord = Schemas['Advice'];
export type StrategyRecord = Strategy;
export type EventSignalsRecord = SignalsRecord;
export type PositionRecord = Schemas['Position'];
export type OverviewRecord = PerformanceOverview;
export type LedgerRecord = PerformanceLedger;
export type RecordAnswer = Schemas['PerformanceRecord'];
export type RecordSection = Schemas['RecordSection'];
export type RecordForecaster = Schemas['RecordForecaster'];
export type RecordLead = Schemas['RecordLead'];
export type RecordPoint = Schemas['RecordPoint'];
export type HealthRecord = Schemas['Health'];
export type HourCell = HourlyRecord['hours'][number];
export type ReliabilityBin = CalibrationRecord['reliability'][number];
export type PageConfig = ServiceConfig;
export type LadderRecord = Schemas['LadderRecord'];
export type OpportunitiesRecord = Schemas['OpportunitiesAnswer'];
export type ActivityAnswer = Schemas['ActivityAnswer'];
export type ActivityRecord = Schemas['ActivityItem'];
export type RememberedAdvice = Schemas['RememberedAdvice'];
export type OpportunityRecord = OpportunitiesRecord['data'][number];

export type CourseRecord = Schemas['EventCourse'];
export type CoursePoint = Schemas['CoursePoint'];
export type PastEventRecord = Schemas['PastEvent'];

export type WhatIfBody = Schemas['WhatIfBody'];
export type WhatIfRecord = Schemas['WhatIfRecord'];

export type ChannelRecord = Schemas['Channel'];
export type ChannelCreatedRecord = Schemas['ChannelCreated']['data'];
export type RuleRecord = Schemas['Rule'];
export type AlertRecord = Schemas['Notice'];

export interface Envelope<T> {
  timestamp: number;
  data: T;
}
