#!/usr/bin/env bash
# check_globals.sh ARCHIVE: the translated module has no state beside its instances, so no object of it has anything in a
# section that can be written to. (.data.rel.ro is made read-only by the loader.)
set -euo pipefail
archive=${1:?usage: check_globals.sh ARCHIVE}
${OBJDUMP:-objdump} -h "$archive" | awk '
  /file format/ { object = $1; ours = object ~ /(^|\()readpref_module_/; seen += ours }
  ours && $2 ~ /^\.(data|bss|tdata|tbss)/ && $2 !~ /^\.data\.rel\.ro/ && $3 !~ /^0+$/ { print object, $2, "0x" $3; bad = 1 }
  END { if (!seen) { print "no objects of the module"; bad = 1 } exit bad }'
