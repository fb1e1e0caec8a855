"""Numbers of the system calls that the filter speaks of, and which it allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_NUMBERS = """
read 0 63
write 1 64
close 3 57
poll 7 -
lseek 8 62
mmap 9 222
mprotect 10 226
munmap 11 215
brk 12 214
rt_sigaction 13 134
rt_sigprocmask 14 135
rt_sigreturn 15 139
madvise 28 233
mremap 25 216
sched_yield 24 124
getpid 39 172
setitimer 38 103
getitimer 36 102
exit 60 93
gettimeofday 96 169
getrusage 98 165
sigaltstack 131 132
gettid 186 178
time 201 -
futex 202 98
restart_syscall 219 128
clock_gettime 228 113
clock_getres 229 114
exit_group 231 94
tgkill 234 131
ppoll 271 73
getrandom 318 278
rseq 334 293
membarrier 324 283
fork 57 -
vfork 58 -
clone 56 220
clone3 435 435
execve 59 221
execveat 322 281
socket 41 198
socketpair 53 199
connect 42 203
bind 49 200
listen 50 201
accept 43 202
accept4 288 242
sendto 44 206
sendmsg 46 211
sendmmsg 307 269
ptrace 101 117
process_vm_readv 310 270
process_vm_writev 311 271
kill 62 129
tkill 200 130
rt_sigqueueinfo 129 138
rt_tgsigqueueinfo 297 240
pidfd_open 434 434
pidfd_send_signal 424 424
pidfd_getfd 438 438
bpf 321 280
io_uring_setup 425 425
io_uring_enter 426 426
io_uring_register 427 427
unshare 272 97
setns 308 268
mount 165 40
umount2 166 39
pivot_root 155 41
chroot 161 51
memfd_create 319 279
memfd_secret 447 447
keyctl 250 219
add_key 248 217
request_key 249 218
perf_event_open 298 241
userfaultfd 323 282
init_module 175 105
finit_module 313 273
kexec_load 246 104
seccomp 317 277
prctl 157 167
setuid 105 146
setgid 106 144
setresuid 117 147
setresgid 119 149
"""
"""Name, number on x86_64, number on aarch64."""

_ALLOWED = (
    "read write close poll lseek munmap brk rt_sigaction rt_sigprocmask rt_sigreturn madvise mremap"
    " sched_yield getpid setitimer getitimer exit gettimeofday getrusage sigaltstack gettid time futex"
    " restart_syscall clock_gettime clock_getres exit_group ppoll getrandom rseq membarrier"
)
ALLOWED = frozenset(_ALLOWED.split())
"""Calls that computing, and talking to the host, can't do without. Two more, mmap and mprotect,
are allowed without executable pages; tgkill only to the process itself."""

_REFUSED = frozenset({"prctl", "setuid", "setgid", "setresuid", "setresgid", "seccomp"})


@dataclass(frozen=True, slots=True)
class Architecture:
    """One kind of processor.

    Args:
        audit: its number in the filter's input.
        calls: number of each system call, by name.
    """

    audit: int
    calls: Mapping[str, int]


def _table(column: int) -> dict[str, int]:
    rows = [line.split() for line in _NUMBERS.split("\n") if line]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


ARCHITECTURES = {
    "x86_64": Architecture(0xC000003E, _table(1)),
    "aarch64": Architecture(0xC00000B7, _table(2)),
}

KILLED = frozenset(_table(1)) - ALLOWED - _REFUSED - {"mmap", "mprotect", "tgkill"}
"""Calls that no honest program gets near: they end the process at once, as a clear signal. All the
others fail."""
