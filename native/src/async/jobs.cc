// SPDX-License-Identifier: MIT
#include "jobs.h"

#include "../immortal.h"
#include "../workarounds/keep_trap_handler.h"

namespace anycl {

void Jobs::start(Ticket* ticket, Platform* platform, std::function<cl_int(Job&)> work, AtEnd at_end) {
  auto owned = std::make_unique<Job>();
  Job& job = *owned;
  job.platform = platform;
  job.wait_at_end = at_end == AtEnd::wait;
  jobs_[static_cast<uint64_t>(ticket->id)] = std::move(owned);
  job.thread = std::thread([&job, work = std::move(work), ticket] {
    cl_int status = CL_SUCCESS;
    {
      const KeepTrapHandler keep;
      status = work(job);
    }
    job.done = true;
    ticket->redeem(status);
  });
}

std::unique_ptr<Job> Jobs::take(double id) {
  auto found = jobs_.find(static_cast<uint64_t>(id));
  if (found == jobs_.end()) return nullptr;
  std::unique_ptr<Job> job = std::move(found->second);
  jobs_.erase(found);
  if (job->thread.joinable()) job->thread.join();
  return job;
}

void Jobs::finish() {
  for (auto& [id, job] : jobs_) {
    if (!job->thread.joinable()) continue;
    if (job->done || job->wait_at_end) {
      job->thread.join();
    } else {
      // A build cannot be interrupted, and its thread uses the job.
      job->thread.detach();
      make_immortal(std::move(job));
    }
  }
}

}  // namespace anycl
