#!/usr/bin/env bash
# Every option of every command stands in the command's page, and every page's options exist.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
docs=$here/../../docs
for name in run exec stress try report env doctor; do
    try "$REGATTA" $name --help
    code_is 0
    options=$(grep -o -E -e '(^  -n\b|--[a-z][a-z-]+)' "$scratch/out" | tr -d ' ' | grep -v -e '--help' | sort -u)
    page=$docs/regatta-$name.md
    for option in $options; do
        # try, exec and report refer to run's page for what they share with it
        pages=("$page")
        case $name in try | report | exec) pages+=("$docs/regatta-run.md") ;; esac
        grep -q -e "$option" "${pages[@]}" || fail "$option is not in $page"
    done
    while read -r option; do
        grep -q -x -e " *$option" <<<"$options" || fail "$page names $option, which is not there"
    done < <(sed -n -E 's/^\| `(--[a-z-]+).*/\1/p' "$page")
done

# The pages of the rules are made from the table.
try "$here/../../scripts/rule-pages" "$REGATTA" --check
code_is 0
# Links between pages lead somewhere.
while IFS=: read -r page target; do
    case $target in http*) continue ;; esac
    target=${target%%#*}
    [ -z "$target" ] || [ -e "$(dirname "$page")/$target" ] || fail "$page links to $target, which is not there"
done < <(grep -o -H -E '\]\([^)]+\)' "$docs"/*.md "$docs"/../README.md | sed -E 's/\]\(([^)]+)\)/\1/')
finish
