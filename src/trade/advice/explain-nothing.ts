// Why no trade is advised on a bucket that can be bought: the spread, the model, missing evidence, or a fact
// that supports the other side.

import type { EdgeEvidence } from '../../domain/standing-advice.ts';
import { findNoBuy, findYesSell } from '../cost.ts';
import { explainUnproven } from '../edges/explain-evidence.ts';
import type { BucketEdge, PricedBucket } from '../types.ts';
import { boundOf, isProven } from './bounds.ts';
import { centsSign, describeBand, describeDisagreement, describeFact } from './reasons.ts';

/** `cost` is the cost of a Yes share. */
export function explainNothing(
  bucket: PricedBucket,
  edge: BucketEdge,
  evidence: EdgeEvidence,
  cost: number,
): string {
  if (edge.fact !== null) return explainFact(bucket, edge, edge.fact, cost);
  const profitable = listTrades(bucket, edge, cost).filter(({ isProfitable }) => isProfitable);
  const trade = profitable.find(({ isSupported }) => isSupported) ?? profitable[0];
  if (!trade) {
    const sale = findYesSell(bucket);
    return describeBand(edge.worth, sale.isExecutable ? sale.price.netPrice : null, cost);
  }
  if (edge.halt !== null) return edge.halt;
  if (!trade.isSupported) return describeDisagreement(trade.terms, trade.blended, trade.model);
  return explainUnproven(evidence, trade.direction);
}

function explainFact(bucket: PricedBucket, edge: BucketEdge, fact: string, yesCost: number): string {
  if (edge.worth > 0.5) return describeFact(fact, 'Yes', boundOf(edge, bucket, 'Yes'), yesCost);
  const no = findNoBuy(bucket);
  const noCost = no.isExecutable ? no.price.netPrice : null;
  return describeFact(fact, 'No', boundOf(edge, bucket, 'No'), noCost);
}

/** A trade that is not proven. */
interface Trade {
  /** Side of the market on which the model must be right. */
  direction: 'above' | 'below';
  terms: string;
  /** Value of the traded share. */
  blended: number;
  model: number;
  /** Profitable under the blended probability; supported if under the model's own too. */
  isProfitable: boolean;
  isSupported: boolean;
}

function listTrades(bucket: PricedBucket, edge: BucketEdge, yesCost: number): Trade[] {
  const { worth: blended } = edge;
  const { modelProbability: model } = bucket;
  const trades = [buyAt('Yes', blended, model, yesCost)];
  const no = findNoBuy(bucket);
  if (no.isExecutable && !isProven(edge, bucket, 'No', no.price.netPrice))
    trades.push(buyAt('No', 1 - blended, 1 - model, no.price.netPrice));
  const sale = findYesSell(bucket);
  if (sale.isExecutable) trades.push(sellAt(blended, model, sale.price.netPrice));
  return trades;
}

function buyAt(side: 'Yes' | 'No', blended: number, model: number, cost: number): Trade {
  return {
    direction: side === 'Yes' ? 'above' : 'below',
    terms: `${side} costs ${centsSign(cost)}`,
    blended,
    model,
    isProfitable: blended > cost,
    isSupported: model > cost,
  };
}

function sellAt(blended: number, model: number, proceeds: number): Trade {
  return {
    direction: 'below',
    terms: `Yes sells for ${centsSign(proceeds)}`,
    blended,
    model,
    isProfitable: blended < proceeds,
    isSupported: model < proceeds,
  };
}
