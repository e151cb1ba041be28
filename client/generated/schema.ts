// Written by npm run generate-client from docs/openapi.json; changes made here are lost.

export interface paths {
  '/api/v1/meta/{account}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Counters of the active events of an account. The settlement oracle, the service and the market page each count; the differences are the lags. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { account: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['MetaAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/meta/crypto': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Metadata of crypto price markets */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['CryptoAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/meta/{account}/tweets': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Recent posts of an account. Public and FREE callers get the latest 15; PRO callers page through all of them. */
    get: {
      parameters: {
        query?: { limit?: number; offset?: number };
        header?: never;
        path: { account: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['TweetsAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        400: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        402: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PaymentChallenge'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/meta/{account}/hourly': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Posts per hour and day of an account's windows. Hours are cut from the start of the window; days are those of tz. */
    get: {
      parameters: {
        query?: { event_id?: number; tz?: string };
        header?: never;
        path: { account: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['HourlyAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/prediction/{account}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Forecast of the final counts of an account. Public callers get counters and market prices; PRO callers also the forecast percentiles and, per bucket, model probability, edge and signal. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { account: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PredictionAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        400: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        402: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PaymentChallenge'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/signals/{account}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Trading signals for an account. Every open bucket, best edge first, with a stake from the optimal-growth fraction of the bankroll. Model estimates, not guaranteed profit. */
    get: {
      parameters: {
        query?: { bankroll?: number; only_with_signals?: boolean };
        header?: never;
        path: { account: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['SignalsAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        400: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        402: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PaymentChallenge'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/signals/{account}/ladder': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Price ladder of the active events of an account */
    get: {
      parameters: {
        query?: { event_id?: number; bankroll?: number };
        header?: never;
        path: { account: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['LadderAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        400: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        402: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PaymentChallenge'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/portfolio/{account}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Open positions of a wallet in events of an account */
    get: {
      parameters: {
        query: { wallet: string; bankroll?: number };
        header?: never;
        path: { account: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PortfolioAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        400: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        402: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PaymentChallenge'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/portfolio/{account}/rebalancing': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Positions in events of an account that need ADD_MORE or TRIM */
    get: {
      parameters: {
        query: { wallet: string; bankroll: number; threshold?: number };
        header?: never;
        path: { account: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['RebalancingAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        400: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        402: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PaymentChallenge'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/health': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Whether the service can answer truthfully. 503 with status `down` when it cannot. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['Health'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['Health'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/waitlist': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Join the waitlist. An agent is known by its wallet, a human by the e-mail address; registering again gives the first position. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { 'application/json': {
        type: 'agent' | 'human';
        /** What the service would be used for */
        case: string;
        name?: string | null;
        wallet?: string | null;
        email?: string | null;
      } } };
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['WaitlistAnswer'] } };
        400: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        413: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        415: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/performance/overview': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Forecast error and win rate over all settled events */
    get: {
      parameters: {
        query?: { account?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PerformanceOverview'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/performance/history': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Forecast error of each settled event, and what changed when */
    get: {
      parameters: {
        query?: { horizon?: 24 | 48 | 72; days?: number; account?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PerformanceHistory'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/performance/calibration': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Whether stated probabilities came true as often as stated */
    get: {
      parameters: {
        query?: { account?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PerformanceCalibration'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/performance/ledger': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Paper trades of the BUY signals that stood, and what came of them */
    get: {
      parameters: {
        query?: { account?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['PerformanceLedger'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/usage/summary': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Totals of the calling key */
    get: {
      parameters: {
        query?: { days?: number };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['UsageSummaryAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/usage/by-endpoint': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Figures of the calling key per endpoint */
    get: {
      parameters: {
        query: { start: number; end: number };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['UsageByEndpointAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/usage/errors': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Recent errors of the calling key, newest first */
    get: {
      parameters: {
        query?: { limit?: number };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['UsageErrorsAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/usage/stats': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** State of the usage buffer and how usage is tracked */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['UsageStatsAnswer'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/stream/{account}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Live updates of an account. Server-sent events: snapshot first, then counters, post, forecast (PRO), price, feed and settlement. Every message has an id; sending the last one as Last-Event-ID resumes from a bounded log. Opening a stream uses up one request. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { account: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'text/event-stream': string } };
        304: { headers: { [name: string]: unknown }; content?: never };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Webhooks of the calling key */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['WebhookList'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    /** Register a webhook. Notices are signed as Standard Webhooks describe; the secret is shown once. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { 'application/json': {
        /** Public https address that takes the notices */
        url: string;
        /** Comma-separated, or * for all: post.created, counters.changed, oracle.stale, oracle.caught_up, signal.appeared, signal.ended, window.opened, window.settled */
        topics?: string;
      } } };
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['WebhookCreated'] } };
        400: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        413: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        415: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{webhook_id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post?: never;
    /** Remove a webhook */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: { webhook_id: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['WebhookRemoved'] } };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{webhook_id}/deliveries': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** What was delivered, newest first */
    get: {
      parameters: {
        query?: { limit?: number };
        header?: never;
        path: { webhook_id: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['WebhookDeliveries'] } };
        304: { headers: { [name: string]: unknown }; content?: never };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        422: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ValidationError'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Deliver a notice again */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: { webhook_id: string; delivery_id: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['WebhookReplayed'] } };
        401: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        404: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        405: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        406: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        429: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
        503: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['ErrorBody'] } };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}

export interface components {
  schemas: {
    FeedAge: {
      /** UTC milliseconds; null when never */
      updated_ts: number | null;
      age_s: number | null;
      /** Silent for longer than it should be */
      stale: boolean;
    };
    Feeds: {
      own: components['schemas']['FeedAge'];
      oracle: components['schemas']['FeedAge'];
      ui: components['schemas']['FeedAge'];
    };
    CountersRecord: {
      event_id: number;
      event_title: string;
      image: string;
      /** UTC milliseconds */
      start_ts: number;
      /** UTC milliseconds */
      end_ts: number;
      /** null until its feed has answered once */
      market_oracle_counter: number | null;
      /** null until its feed has answered once */
      real_counter: number | null;
      /** null until its feed has answered once */
      market_ui_counter: number | null;
      /** null until its feed has answered once */
      settlement_delta: number | null;
      /** null until its feed has answered once */
      display_delta: number | null;
      /** null until its feed has answered once */
      internal_delta: number | null;
      feeds: components['schemas']['Feeds'];
    };
    MetaAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['CountersRecord'][];
    };
    ErrorBody: {
      detail: string;
    };
    CryptoRecord: {
      event_id: number;
      event_title: string;
      image: string;
      asset: string;
      market_type: 'updown' | 'above' | 'range' | 'touch';
      interval: string;
      /** UTC milliseconds */
      start_ts: number;
      /** UTC milliseconds */
      end_ts: number;
      seconds_remaining: number;
      strike: number | null;
      reference_price: number | null;
      reference_source: string | null;
      tokens: ({
        label: string;
        token_id: string;
        price: number | null;
        best_bid: number | null;
        best_ask: number | null;
      })[];
      volume: number;
      liquidity: number;
      fee_rate: number;
    };
    CryptoAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['CryptoRecord'][];
    };
    PostRecord: {
      tweet_id: string;
      text: string;
      /** UTC milliseconds */
      created_ts: number;
      is_reply: boolean;
      is_quote: boolean;
      is_retweet: boolean;
      /** PRO: true or false. Public: always null */
      is_counted: boolean | null;
      is_deleted: boolean;
    };
    TweetsAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['PostRecord'][];
      limit: number;
      offset: number;
    };
    PaymentChallenge: {
      detail: string;
      [name: string]: unknown;
    };
    ValidationError: {
      detail: ({
        type: string;
        loc: (string | number)[];
        msg: string;
        ctx?: {
          [name: string]: unknown;
        };
      })[];
    };
    HourlyRecord: {
      event_id: number;
      tz: string;
      hours: {
        /** UTC milliseconds */
        start_ts: number;
        /** Posts that count toward settlement */
        counted: number;
        /** All posts, replies included */
        all: number;
      }[];
      days: {
        date: string;
        /** Posts that count toward settlement */
        counted: number;
        /** All posts, replies included */
        all: number;
      }[];
    };
    HourlyAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['HourlyRecord'][];
    };
    Forecast: {
      p5: number;
      p50: number;
      p95: number;
    };
    PredictionMarket: {
      title: string;
      market_price: number | null;
      model_prob?: number | null;
      edge?: number | null;
      signal?: 'STRONG_BUY' | 'BUY' | 'SLIGHT_BUY' | 'HOLD' | 'SELL' | null;
    };
    PredictionRecord: {
      event_id: number;
      seconds_remaining?: number;
      /** null until its feed has answered once */
      market_oracle_counter: number | null;
      /** null until its feed has answered once */
      real_counter: number | null;
      /** null until its feed has answered once */
      market_ui_counter: number | null;
      /** null until its feed has answered once */
      settlement_delta?: number | null;
      /** null until its feed has answered once */
      display_delta?: number | null;
      /** null until its feed has answered once */
      internal_delta?: number | null;
      feeds?: components['schemas']['Feeds'];
      sleep_probability?: number | null;
      velocity_counted_1h?: number | null;
      velocity_all_1h?: number | null;
      forecast?: components['schemas']['Forecast'] | null;
      markets: components['schemas']['PredictionMarket'][];
    };
    PredictionAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['PredictionRecord'][];
    };
    Signal: {
      bucket: string;
      token_id: string;
      action: 'BUY' | 'SELL' | 'HOLD' | 'SKIP';
      model_prob: number;
      market_price: number;
      edge: number;
      ev: number;
      kelly_fraction: number;
      suggested_bet: number;
      confidence: 'HIGH' | 'MEDIUM' | 'LOW';
      moneyness: number;
      time_confidence: 'HIGH' | 'MEDIUM' | 'LOW';
      asymmetry_edge: number | null;
      reasons: string[];
      bankroll: number;
      cost_per_share: number | null;
      fee_per_share: number | null;
      suggested_shares: number;
    };
    Strategy: {
      strategy: 'TWO_BUCKET' | 'SINGLE_BUCKET' | 'RISK_MANAGEMENT';
      buckets: string[];
      stake_fraction: number;
      suggested_bet: number;
      win_probability: number;
      realised_win_rate: number | null;
      sample_size: number;
    };
    SignalsRecord: {
      event_id: number;
      event_title: string;
      signals: components['schemas']['Signal'][];
      strategies: {
        buy: components['schemas']['Strategy'][];
        sell: components['schemas']['Strategy'][];
      };
    };
    SignalsAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['SignalsRecord'][];
    };
    LadderRecord: {
      event_id: number;
      event_title: string;
      bankroll: number;
      rows: ({
        bucket: string;
        low: number;
        high: number | null;
        token_id: string;
        model_prob: number;
        market_price: number | null;
        bid: number | null;
        ask: number | null;
        ask_shares: number | null;
        fee_per_share: number | null;
        cost_per_share: number | null;
        edge: number | null;
        edge_percent: number | null;
        ev: number;
        kelly_fraction: number;
        target_shares: number;
        target_value: number;
        action: 'BUY' | 'SELL' | 'HOLD' | 'SKIP';
        reasons: string[];
      })[];
    };
    LadderAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['LadderRecord'][];
    };
    Position: {
      event_id: string;
      bucket: string;
      outcome: 'Yes' | 'No';
      token_id: string;
      tokens: number;
      avg_price: number;
      cost_basis: number;
      current_price: number;
      current_value: number;
      pnl: number;
      pnl_percent: number;
      analysis: {
        win_probability: number;
        market_implied: number;
        edge: number;
        edge_percent: number;
        signal: 'STRONG_BUY' | 'BUY' | 'HOLD' | 'AVOID' | 'SELL';
        recommendation: 'STRONG_HOLD' | 'HOLD' | 'MONITOR' | 'CONSIDER_SELLING';
      };
      sizing?: {
        target_value: number;
        adjustment: number;
        kelly_fraction: number;
        action: 'ADD_MORE' | 'TRIM' | 'HOLD';
      };
    };
    PortfolioRecord: {
      wallet: string;
      event: {
        title: string;
        id: number;
        /** UTC milliseconds */
        end_ts: number;
      } | null;
      prediction: {
        p5: number | null;
        p50: number | null;
        p95: number | null;
        real_counter: number | null;
        seconds_remaining: number;
        velocity_counted_1h: number | null;
      } | null;
      positions: components['schemas']['Position'][];
      portfolio: {
        total_positions: number;
        total_cost: number;
        current_value: number;
        total_pnl: number;
        total_pnl_percent: number;
      };
      message?: string;
    };
    PortfolioAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['PortfolioRecord'][];
    };
    RebalancingRecord: {
      event_id: number;
      event_title: string;
      bankroll: number;
      threshold: number;
      positions: ({
        bucket: string;
        outcome: 'Yes' | 'No';
        token_id: string;
        action: 'ADD_MORE' | 'TRIM';
        current_value: number;
        target_value: number;
        adjustment: number;
        adjustment_shares: number;
        current_price: number;
        win_probability: number;
        edge: number;
        reasons: string[];
      })[];
    };
    RebalancingAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['RebalancingRecord'][];
    };
    Health: {
      /** UTC milliseconds */
      timestamp: number;
      status: 'ok' | 'degraded' | 'down';
      /** By account segment, then by feed */
      feeds: {
        [name: string]: {
          [name: string]: components['schemas']['FeedAge'];
        };
      };
      version: string;
      commit: string;
      problems: string[];
    };
    WaitlistAnswer: {
      status: string;
      position: number;
    };
    ErrorSummary: {
      median: number | null;
      p90: number | null;
      sample_size: number;
    };
    PerformanceOverview: {
      error_24h: components['schemas']['ErrorSummary'];
      error_48h: components['schemas']['ErrorSummary'];
      error_72h: components['schemas']['ErrorSummary'];
      win_rate: {
        HIGH: number | null;
        MEDIUM: number | null;
        LOW: number | null;
      };
      win_rate_samples: {
        HIGH: number;
        MEDIUM: number;
        LOW: number;
      };
      /** ISO 8601, UTC */
      last_updated: string;
    };
    PerformanceHistory: {
      data: {
        /** ISO 8601, UTC */
        timestamp: string;
        error_pct: number;
        event_id: number;
        account: string;
        p50: number;
        final_count: number;
        model_version: string;
      }[];
      annotations: {
        /** ISO 8601, UTC */
        timestamp: string;
        label: string;
        commit: string;
      }[];
    };
    ScoreLine: {
      /** model, market, or the name of a baseline */
      name: string;
      crps: number | null;
      bucket_log_score: number | null;
      median_error_pct: number | null;
      sample_size: number;
    };
    CalibrationRecord: {
      account: string;
      horizon: 24 | 48 | 72;
      sample_size: number;
      pit_histogram: {
        from: number;
        to: number;
        count: number;
      }[];
      coverage_50: number | null;
      coverage_90: number | null;
      reliability: ({
        from: number;
        to: number;
        mean_probability: number | null;
        won_fraction: number | null;
        count: number;
      })[];
      scores: components['schemas']['ScoreLine'][];
    };
    PerformanceCalibration: {
      /** UTC milliseconds */
      timestamp: number;
      data: components['schemas']['CalibrationRecord'][];
    };
    LedgerEntry: {
      /** UTC milliseconds */
      timestamp: number;
      account: string;
      event_id: number;
      horizon: number;
      bucket: string;
      strategy: string | null;
      confidence: 'HIGH' | 'MEDIUM' | 'LOW';
      model_prob: number;
      market_price: number;
      /** USD, fee included */
      cost_per_share: number;
      shares: number;
      /** USD */
      stake: number;
      /** null until the event settles */
      won: boolean | null;
      pnl: number | null;
      /** UTC milliseconds; null when never */
      settled_ts: number | null;
    };
    PerformanceLedger: {
      /** UTC milliseconds */
      timestamp: number;
      summary: {
        /** Settled ones */
        bets: number;
        events: number;
        staked: number;
        pnl: number;
        return_on_stake: number | null;
        return_low: number | null;
        return_high: number | null;
        max_drawdown: number;
        closing_line_value: number | null;
        closing_line_sample: number;
      };
      /** Newest first, 200 at most */
      data: components['schemas']['LedgerEntry'][];
    };
    UsageSummaryAnswer: {
      /** UTC milliseconds */
      timestamp: number;
      data: {
        days: number;
        total_requests: number;
        total_errors: number;
        /** Fraction from 0 to 1 */
        error_rate: number;
        avg_response_ms: number;
        total_bandwidth_bytes: number;
      };
    };
    UsageByEndpointAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: {
        endpoint: string;
        method: string;
        requests: number;
        errors: number;
        /** Fraction from 0 to 1 */
        error_rate: number;
        avg_response_ms: number;
        bandwidth_bytes: number;
      }[];
    };
    UsageErrorsAnswer: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: ({
        endpoint: string;
        method: string;
        /** UTC milliseconds */
        timestamp: number;
        status_code: number;
        response_ms: number;
        message: string | null;
      })[];
    };
    UsageStatsAnswer: {
      /** UTC milliseconds */
      timestamp: number;
      data: {
        buffer: {
          size: number;
          capacity: number;
          dropped: number;
          /** UTC milliseconds; null when never */
          last_flush_ts: number | null;
        };
        tracking: {
          enabled: boolean;
          flush_interval_ms: number;
          retention_days: number;
        };
      };
    };
    WebhookCreated: {
      /** UTC milliseconds */
      timestamp: number;
      data: {
        webhook_id: string;
        url: string;
        topics: string[];
        /** UTC milliseconds */
        created_ts: number;
        /** Signs every notice; shown only here */
        secret: string;
      };
    };
    Webhook: {
      webhook_id: string;
      url: string;
      topics: string[];
      /** UTC milliseconds */
      created_ts: number;
    };
    WebhookList: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['Webhook'][];
    };
    WebhookRemoved: {
      /** UTC milliseconds */
      timestamp: number;
      data: {
        webhook_id: string;
      };
    };
    WebhookDelivery: {
      delivery_id: string;
      topic: string;
      status: 'pending' | 'delivered' | 'failed';
      attempts: number;
      /** UTC milliseconds; null when never */
      next_attempt_ts: number | null;
      last_response: string | null;
      /** UTC milliseconds */
      created_ts: number;
      /** UTC milliseconds */
      updated_ts: number;
    };
    WebhookDeliveries: {
      /** Response time, UTC milliseconds */
      timestamp: number;
      data: components['schemas']['WebhookDelivery'][];
    };
    WebhookReplayed: {
      /** UTC milliseconds */
      timestamp: number;
      data: components['schemas']['WebhookDelivery'];
    };
  };
}

export type Schemas = components['schemas'];
