#!/bin/sh
# A tour of the API with curl.
#
#   TALLYCAST_URL=http://127.0.0.1:8080 TALLYCAST_KEY=tc_pro_... sh examples/curl/tour.sh
set -eu

URL="${TALLYCAST_URL:-http://127.0.0.1:8080}"
ACCOUNT="${TALLYCAST_ACCOUNT:-account_a}"
KEY="${TALLYCAST_KEY:-}"

ask() {
  printf '\n== GET %s\n' "$1"
  if [ -n "$KEY" ]; then
    curl -sS --fail-with-body -H "X-API-Key: $KEY" "$URL$1"
  else
    curl -sS --fail-with-body "$URL$1"
  fi
  printf '\n'
}

ask "/api/v1/health"
ask "/api/v1/meta/$ACCOUNT"
ask "/api/v1/meta/$ACCOUNT/tweets?limit=3"
ask "/api/v1/prediction/$ACCOUNT"
ask "/api/v1/performance/overview"
if [ -n "$KEY" ]; then ask "/api/v1/signals/$ACCOUNT?bankroll=500&only_with_signals=true"; fi

# An unchanged response is not sent again.
printf '\n== the same request with the ETag of the first response\n'
ETAG=$(curl -sS -o /dev/null -D - "$URL/api/v1/performance/overview" | tr -d '\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: //p')
curl -sS -o /dev/null -w 'status %{http_code}\n' -H "If-None-Match: $ETAG" "$URL/api/v1/performance/overview"

# The live stream: ids, events, data; -N shows messages as they arrive.
printf '\n== the first message of the live stream\n'
curl -sN --max-time 5 -H 'Accept: text/event-stream' "$URL/api/v1/stream/$ACCOUNT" | head -n 2 || true

# Agents use the Model Context Protocol.
printf '\n== a tool call at /mcp\n'
curl -sS "$URL/mcp" \
  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
  -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"get_counters\",\"arguments\":{\"account\":\"$ACCOUNT\"}}}"
printf '\n'
