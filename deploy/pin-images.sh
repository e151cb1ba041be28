#!/bin/sh
# Pins every image in deploy/Containerfile and compose.yaml to the digest that its tag has now.
# Run it again to update the digests. Needs Docker with buildx and access to the registries.
set -eu
cd "$(dirname "$0")/.."
files='deploy/Containerfile compose.yaml'
images=$(sed -nE 's/^(FROM|    image:) ([^@ ]+)(@sha256:[0-9a-f]+)?( AS .*)?$/\2/p' $files | sort -u)
for image in $images; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  sed -i -E "s#^(FROM|    image:) $image(@sha256:[0-9a-f]+)?( AS .*)?\$#\1 $image@$digest\3#" $files
  echo "$image@$digest"
done
