#!/usr/bin/env bash
# Runs a command as process 1 of a container: run.sh <root file system> <uid> <working directory> <command> [argument]…
#
# The root file system is read-only and /tmp is not writable. The process has no capabilities and cannot gain any. It shares the
# network of the host and the environment of the caller. All mounts end with the process.
set -euo pipefail

exec unshare --mount --propagation private --pid --fork --kill-child --ipc --uts -- /bin/bash -euc '
  root=$1 user=$2 directory=$3
  shift 3
  mount --bind "$root" "$root"
  mount -o remount,bind,ro "$root"
  mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
  mount -t tmpfs -o mode=0755,size=64k tmpfs "$root/dev"
  for device in null zero full random urandom; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  mount -o remount,ro "$root/dev"
  exec setpriv --no-new-privs unshare --root="$root" --wd="$directory" --setgid="$user" --setuid="$user" -- "$@"
' bash "$@"
